import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { serviceNames } from '@lib/contracts';

const root = resolve(__dirname, '../../../../..');
const LOADER = `${root}/scripts/docs/load-typescript.mjs`;

/** Of all that a process holds which loads what `ferrolog service NAME` does. */
function modulesOf(service: string): readonly string[] {
  const program = `
    const { load } = await import(${JSON.stringify(LOADER)});
    const { createRequire } = await import('node:module');
    load('${root}/apps/ferrolog/src/service-program.ts');
    load('${root}/apps/ferrolog/src/services/starters/${service}.ts');
    console.log(JSON.stringify(Object.keys(createRequire('${root}/package.json').cache)));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  return (JSON.parse(printed) as string[]).map((path) => path.replace(`${root}/`, ''));
}

const appsOf = (modules: readonly string[]): readonly string[] => [
  ...new Set(modules.flatMap((path) => /^apps\/([^/]+)\//.exec(path)?.[1] ?? [])),
];

/** What only those who speak to machines or inspectors need, by folder. */
const ABOUT_MACHINES = ['libs/adapters/src/hardware-registry/', 'libs/adapters/src/http-exchange/'];

describe.each(serviceNames)('a process of the service %s', (service) => {
  let modules: readonly string[];
  beforeAll(() => {
    modules = modulesOf(service);
  });

  it('holds no other app than its own and the command line', () => {
    expect([...appsOf(modules)].sort()).toEqual([service, 'ferrolog'].sort());
  });

  it.each(ABOUT_MACHINES)('holds %s only where it speaks to machines', (folder) => {
    const held = modules.some((path) => path.startsWith(folder));
    const speaks = service === 'conductor' || (service === 'inspector-simulator' && folder.includes('http'));
    expect(held).toBe(speaks);
  });
});
