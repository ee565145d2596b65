import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hardwareTypes } from '@lib/domain';
import type { Call, Contribution, InspectInterface, Machine, PowerInterface } from '@lib/ports';
import { ManualClock } from '@lib/testing';
import { InterfacesByName, comesFrom, loadExtensions } from './index';

const clock = new ManualClock(1_000_000);
const warnings: string[] = [];
const silent = () => undefined;
const logger = {
  debug: silent,
  info: silent,
  error: silent,
  warn: (_fields: object, text: string) => void warnings.push(text),
};
const chance = { uuid: () => 'uuid', bytes: (length: number) => new Uint8Array(length), random: () => 0.5 };
const host = { clock, chance, logger };
const machine = { uuid: 'node', driverInfo: {} } as unknown as Machine;
const call: Call = { signal: new AbortController().signal, stillStands: async () => undefined };

describe('loading extensions', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'extensions-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  let count = 0;
  /** A package with this code, as a path. */
  function written(code: string): string {
    const name = `extension-${(count += 1)}`;
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'package.json'), JSON.stringify({ name, main: 'index.js' }));
    writeFileSync(join(folder, name, 'index.js'), code);
    return `./${name}`;
  }
  const opening = (contribution: string) =>
    written(`module.exports = { apiVersion: 1, open: (host) => (${contribution}) };`);
  const power = `{ validate: () => null, read: async () => 'power on', change: async () => ({ powerState: 'power on', changed: true }) }`;
  const problemsOf = (...names: string[]) =>
    loadExtensions(names, host, folder).then(
      () => [],
      (error: { problems: readonly string[] }) => error.problems,
    );

  it('without any leaves the types that ship', async () => {
    const { types, interfaces, folders } = await loadExtensions([], host, folder);
    expect([types, interfaces.reporting, folders]).toEqual([hardwareTypes, [], []]);
  });

  it('finds the interfaces and types of a package, by path and by name, also as a default export', async () => {
    const path = written(
      `exports.default = { apiVersion: 1, open: async ({ clock }) => ({
         hardwareTypes: [{ name: 'rack', supports: { power: ['rack'] } }],
         interfaces: { power: { rack: ${power} } } }) };`,
    );
    mkdirSync(join(folder, 'node_modules/@site/rack-two'), { recursive: true });
    const two = join(folder, 'node_modules/@site/rack-two/index.js');
    writeFileSync(
      two,
      `module.exports = { apiVersion: 1, open: () => ({ interfaces: { power: { two: ${power} } } }) };`,
    );
    const { types, interfaces, folders } = await loadExtensions([path, '@site/rack-two'], host, folder);
    expect(types.get('rack')?.supports.power).toEqual(['rack']);
    expect(types.get('fake-hardware')?.supports.power).toEqual(['fake', 'rack', 'two']);
    expect(await interfaces.get('power', 'rack')?.read(machine, call)).toBe('power on');
    expect([interfaces.get('power', 'fake'), folders.length]).toEqual([null, 2]);
  });

  it.each<[string, () => string[], string]>([
    ['a package that is not there', () => ['no-such-package'], '"no-such-package" is not installed'],
    ['a path that is not there', () => ['./nowhere'], '"./nowhere" is not there'],
    [
      'one that throws when it is loaded',
      () => [written('throw new Error("no licence")')],
      'failed to load: Error: no licence',
    ],
    ['one that lacks a package of its own', () => [written('require("left-out")')], "Cannot find module 'left-out'"],
    ['one that is no code', () => [written('module.exports = {')], 'failed to load: SyntaxError'],
    ['one that exports something else', () => [written('module.exports = 5')], 'exports no extension'],
    [
      'one for another version',
      () => [written('module.exports = { apiVersion: 2, open: () => ({}) }')],
      'was made for version 2 of the extension interface; this release has 1',
    ],
    [
      'one that throws at open',
      () => [opening('(() => { throw new Error("no rack") })()')],
      'failed to load: Error: no rack',
    ],
    ['one that opens with nothing', () => [opening('null')], 'opened without a contribution'],
    [
      'a hardware type that exists',
      () => [opening(`{ hardwareTypes: [{ name: 'redfish', supports: { power: ['redfish'] } }] }`)],
      'there is a hardware type "redfish" already',
    ],
    [
      'an interface that exists',
      () => [opening(`{ interfaces: { power: { fake: ${power} } } }`)],
      'there is a power interface "fake" already',
    ],
    [
      'an interface that another extension brings',
      () => [1, 2].map(() => opening(`{ interfaces: { power: { twin: ${power} } } }`)),
      'there is a power interface "twin" already',
    ],
    [
      'an interface that lacks a function',
      () => [opening(`{ interfaces: { power: { half: { validate: () => null, read: async () => null } } } }`)],
      'the power interface "half" has no function change',
    ],
    ['a kind that is none', () => [opening('{ interfaces: { warp: {} } }')], '"warp" is no kind of interface'],
    ['a name that is none', () => [opening(`{ interfaces: { power: { 'a, b': ${power} } } }`)], '"a, b" is no name'],
    [
      'supports without lists',
      () => [opening(`{ hardwareTypes: [{ name: 'r', supports: { power: 'r' } }] }`)],
      'is no list of names',
    ],
    [
      'a word for the power that there is not',
      () => [
        opening(
          `{ interfaces: { inspect: { i: { facts: { powerOff: 'maybe' }, validate: () => null, inspect: async () => null } } } }`,
        ),
      ],
      'powerOff of the inspect interface "i" is none of',
    ],
  ])('stops the start with a sentence: %s', async (_what, names, text) => {
    const problems = await problemsOf(...names());
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('[DEFAULT] extensions: "');
    expect(problems[0]).toContain(text);
  });

  it('tells of everything that is wrong at once, and stops what had opened', async () => {
    const good = opening(`{ stop: () => { globalThis.stoppedExtension = true; } }`);
    expect(await problemsOf('no-such-package', good, './nowhere')).toHaveLength(2);
    expect((globalThis as { stoppedExtension?: boolean }).stoppedExtension).toBe(true);
  });

  it('does not wait for ever for one that does not open', async () => {
    const waiting = problemsOf(opening('new Promise(() => undefined)'));
    await clock.advanceBy(30_000);
    expect(await waiting).toEqual([expect.stringContaining('did not open within 30 seconds')]);
  });

  it('knows an error by the folder in which it was made', async () => {
    const path = written('exports.fail = () => new Error("stray");');
    const made = (createRequire(__filename)(join(folder, path)) as { fail(): Error }).fail();
    expect([comesFrom(made, [join(folder, path)]), comesFrom(new Error('ours'), [join(folder, path)])]).toEqual([
      true,
      false,
    ]);
    expect(comesFrom('a text', [folder])).toBe(false);
  });
});

describe("an extension's interface", () => {
  const added = (interfaces: unknown) => {
    const all = new InterfacesByName();
    all.add(interfaces as NonNullable<Contribution['interfaces']>, clock);
    return all;
  };
  const inspecting = (rest: object): InspectInterface => {
    const given = { validate: () => null, inspect: async () => null, ...rest };
    return added({ inspect: { rack: given } }).get('inspect', 'rack') as InspectInterface;
  };

  it('can do what it has functions for', () => {
    expect(inspecting({}).facts).toEqual({
      name: 'rack',
      abort: false,
      powerOff: 'never',
      startsIntrospection: false,
      takesData: false,
    });
    const all = { abort: async () => undefined, leftInspectWait: async () => undefined, facts: { powerOff: 'always' } };
    expect(inspecting(all).facts).toMatchObject({ abort: true, hearsOfEndings: true, powerOff: 'always' });
    expect(inspecting({}).abort).toBeUndefined();
  });

  it.each<[string, unknown, unknown]>([
    ['nothing', undefined, { returned: null }],
    ['null', null, { returned: null }],
    ['a word', 'MANAGEABLE', { returned: 'MANAGEABLE' }],
    ['more than is asked for', { returned: 'INSPECTWAIT', next: 'x', machine: undefined }, { returned: 'INSPECTWAIT' }],
    [
      'data',
      { returned: 'MANAGEABLE', data: { inventory: { a: 1 }, pluginData: {} } },
      { returned: 'MANAGEABLE', data: { inventory: { a: 1 }, pluginData: {} } },
    ],
  ])('may come back from its start with %s', async (_what, value, result) => {
    expect(await inspecting({ inspect: async () => value }).inspect(machine, call)).toEqual(result);
  });

  const circle: Record<string, unknown> = {};
  circle['circle'] = circle;
  it.each<[string, unknown]>([
    ['a circle', { returned: 'MANAGEABLE', data: { inventory: circle, pluginData: {} } }],
    ['a number that JSON does not know', { returned: 'MANAGEABLE', data: { inventory: { n: 1n }, pluginData: {} } }],
    ['half of the data', { returned: 'MANAGEABLE', data: { inventory: {} } }],
    ['addresses that are none', { returned: 'INSPECTWAIT', lookupBmcAddresses: 'everywhere' }],
  ])('fails in words that name it, and not in the log, when it returns %s', async (_what, value) => {
    const result = inspecting({ inspect: async () => value }).inspect(machine, call);
    await expect(result).rejects.toThrow(/^interface rack answers inspect with something else: /);
  });

  it('that throws at a question has a problem, and nobody else has', () => {
    const validate = () => {
      throw new TypeError('x is not a function');
    };
    expect(inspecting({ validate }).validate(machine)).toBe('interface rack failed at validate: x is not a function');
    expect(inspecting({ validate: () => 7 }).validate(machine)).toMatch(/^interface rack failed at validate: a string/);
    expect(inspecting({ managesBoot: () => 'perhaps' }).managesBoot?.(machine)).toBe(false);
  });

  it('is not waited for where nobody else would bound its time', async () => {
    const hanging = inspecting({ report: () => new Promise(() => undefined) }).report?.('node', call);
    const seen = expect(hanging).rejects.toThrow('interface rack did not answer report within 30 seconds');
    await clock.advanceBy(30_000);
    await seen;
  });

  it('reports in the words of the contract, and nothing else', async () => {
    const told = async (value: unknown) => inspecting({ report: async () => value }).report?.('node', call);
    expect(await told({ state: 'running' })).toEqual({ state: 'running' });
    expect(await told({ state: 'ended', startedAt: 5 })).toEqual({
      state: 'ended',
      startedAt: 5,
      error: null,
      data: null,
    });
    await expect(told({ state: 'ended' })).rejects.toThrow('startedAt in the answer is expected');
    await expect(told({ state: 'over' })).rejects.toThrow('"running" or "unknown" is expected');
  });

  it('may forget to wait for what it asks, without ending the process', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    const gone: Call = { ...call, stillStands: () => Promise.reject(new Error('cancelled')) };
    const inspect = async (_machine: Machine, { stillStands }: Call) => void stillStands();
    expect(await inspecting({ inspect }).inspect(machine, gone)).toEqual({ returned: null });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('keeps its own state', async () => {
    class Rack {
      private power: 'power on' | 'power off' = 'power off';
      validate = () => null;
      async read() {
        return this.power;
      }
      async change() {
        this.power = 'power on';
        return { powerState: this.power, changed: true };
      }
    }
    const rack = added({ power: { rack: new Rack() } }).get('power', 'rack') as PowerInterface;
    await rack.change(machine, 'power on', null, call);
    expect(await rack.read(machine, call)).toBe('power on');
  });
});
