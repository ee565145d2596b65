import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@lib/ports';
import { pinoLogger } from '.';

describe('the pino logger', () => {
  let home: string;
  let file: string;
  let logger: Logger;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'ferrolog-logger-'));
    file = join(home, 'logs', 'conductor.jsonl');
    logger = pinoLogger({ service: 'conductor', file });
  });
  afterEach(() => rm(home, { recursive: true }));

  const lines = async () =>
    (await readFile(file, 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('writes fields and the sentence as one line of JSON, at once', async () => {
    logger.info({ requestId: 'req-1', node: 'n', attempt: 2 }, 'inspection started');
    const common = { service: 'conductor', pid: process.pid, time: expect.stringMatching(/^\d{4}-.*Z$/) };
    expect(await lines()).toEqual([
      { ...common, level: 'info', requestId: 'req-1', node: 'n', attempt: 2, msg: 'inspection started' },
    ]);
  });

  it('gathers the ordinary lines of a turn, and writes a warning at once with those before it', async () => {
    const written = () => readFileSync(file, 'utf8').split('\n').filter(Boolean).length;
    logger.info({}, 'one');
    logger.info({}, 'two');
    expect(written()).toBe(0);
    logger.warn({}, 'three');
    expect(written()).toBe(3);
    logger.info({}, 'four');
    await new Promise((resolve) => setImmediate(resolve));
    expect((await lines()).map(({ msg }) => msg)).toEqual(['one', 'two', 'three', 'four']);
  });

  it('loses nothing where the process is ended in the turn of the line', () => {
    const loader = join(__dirname, '../../../../scripts/docs/load-typescript.mjs');
    const script = `import { load } from '${loader}';
      load('@lib/adapters/logger-pino').pinoLogger({ service: 'api' }).info({}, 'the last'); process.exit(3);`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect([status, JSON.parse(stderr)]).toMatchObject([3, { msg: 'the last' }]);
  });

  it('leaves out what is below its level', async () => {
    logger.debug({}, 'detail');
    logger.warn({}, 'odd');
    logger.error({}, 'wrong');
    expect((await lines()).map(({ level }) => level)).toEqual(['warn', 'error']);
  });

  it('hides secrets by the names of their fields, at any depth', async () => {
    const fields = {
      driver_info: { redfish_password: 'pw-1', redfish_username: 'admin', list: [{ auth_token: 'pw-2' }] },
      Authorization: 'pw-3',
    };
    logger.info(fields, 'created');
    const text = await readFile(file, 'utf8');
    expect(text).not.toMatch(/pw-\d/);
    expect(JSON.parse(text)).toMatchObject({ driver_info: { redfish_password: '******', redfish_username: 'admin' } });
  });

  it('writes an error with its stack and cause, and none of its other fields', async () => {
    const error = Object.assign(new Error('broken', { cause: new Error('deeper') }), { parameters: ['pw-1'] });
    logger.error({ error }, 'failed');
    const [line] = await lines();
    expect(line?.error).toMatchObject({ type: 'Error', message: 'broken', cause: { message: 'deeper' } });
    expect((line?.error as { stack: string }).stack).toContain('pino-logger.spec');
    expect(JSON.stringify(line)).not.toContain('pw-1');
  });

  it('survives fields that cannot be JSON', async () => {
    const circle: Record<string, unknown> = { big: 10n, bytes: new Uint8Array(3) };
    circle.self = circle;
    logger.info(circle, 'odd fields');
    expect((await lines())[0]).toMatchObject({ big: '10', bytes: '[3 bytes]' });
  });

  it('goes to standard error without a file', () => {
    const loader = join(__dirname, '../../../../scripts/docs/load-typescript.mjs');
    const script = `import { load } from '${loader}';
      load('@lib/adapters/logger-pino').pinoLogger({ service: 'api' }).info({}, 'ready');`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect([stdout, JSON.parse(stderr)]).toMatchObject(['', { service: 'api', msg: 'ready' }]);
  });
});
