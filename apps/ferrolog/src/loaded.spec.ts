import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { serviceNames } from '@lib/contracts';

const root = resolve(__dirname, '../../..');

/** The files that a process of that command holds, by their paths in the project; with those of a service's starter if one is named. */
function modulesOf(args: readonly string[], starter?: string): readonly string[] {
  const program = `
    const { load } = await import('${root}/scripts/docs/load-typescript.mjs');
    const { createRequire } = await import('node:module');
    await load('${root}/apps/ferrolog/src/program.ts').program(${JSON.stringify(args)}, 'main');
    ${starter === undefined ? '' : `load('${root}/apps/ferrolog/src/services/starters/${starter}.ts');`}
    console.log(JSON.stringify(Object.keys(createRequire('${root}/package.json').cache)));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  return (JSON.parse(printed) as string[]).map((path) => path.slice(root.length + 1));
}

const appsOf = (modules: readonly string[]): readonly string[] =>
  [...new Set(modules.flatMap((path) => /^apps\/([^/]+)\//.exec(path)?.[1] ?? []))].sort();

const holds = (modules: readonly string[], folder: string): boolean => modules.some((path) => path.startsWith(folder));

/** What only those need who speak to machines or inspectors. */
const HARDWARE = 'libs/adapters/src/hardware-registry/';
const HTTP_CLIENT = 'libs/adapters/src/http-exchange/';

describe.each(serviceNames)('a process of the service %s', (service) => {
  let modules: readonly string[];
  beforeAll(() => {
    modules = modulesOf(['service', service], service);
  });

  it('holds no other app than its own and the command line', () => {
    expect(appsOf(modules)).toEqual([service, 'ferrolog'].sort());
  });

  it('speaks to machines and by HTTP only where it has to', () => {
    const speaks = { hardware: holds(modules, HARDWARE), http: holds(modules, HTTP_CLIENT) };
    const conductor = service === 'conductor';
    expect(speaks).toEqual({ hardware: conductor, http: conductor || service === 'inspector-simulator' });
  });
});

it('a process of `up`, which lasts as long as the services that it watches, holds none of them and no database', () => {
  const modules = modulesOf(['up']);
  expect(appsOf(modules)).toEqual(['ferrolog']);
  expect(modules.filter((path) => /^node_modules\/(typeorm|@nestjs|sqlite3|undici)\//.test(path))).toEqual([]);
});
