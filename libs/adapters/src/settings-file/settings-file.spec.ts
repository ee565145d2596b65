import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as fc from 'fast-check';
import { declaredOptions } from '@lib/contracts/settings';
import { readIni } from './ini-text';
import { type Environment, SettingsError, loadSettings, variableOf } from './index';

const machine = { hostname: 'rack-4' };

function load(env: Environment, content = '') {
  const file = { FERROLOG_CONFIG: 'ferrolog.conf' };
  return loadSettings({ ...(content ? file : {}), ...env }, () => content, machine);
}

function problemsOf(env: Environment, content = ''): readonly string[] {
  try {
    load(env, content);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe('the INI dialect', () => {
  const values = (content: string) =>
    readIni(content, 'f').values.map(({ section, name, text }) => [section, name, text]);

  it.each<[string, string, string]>([
    ['a = 1', 'a', '1'],
    ['a=1', 'a', '1'],
    ['a: 1', 'a', '1'],
    ['a =', 'a', ''],
    ['a = b = c', 'a', 'b = c'],
    ['a = http://h:1/#x ; y', 'a', 'http://h:1/#x ; y'],
    ['a = "  quoted "', 'a', '  quoted '],
    ["a = 'x", 'a', "'x"],
    ['a = """', 'a', '"'],
    ['a.b = 1', 'a.b', '1'],
    ['a[] = 1', 'a[]', '1'],
    ['__proto__ = 1', '__proto__', '1'],
    ['a = x,\n  y\n\ty2', 'a', 'x, y y2'],
    ['a = x,\n  # why\n  y', 'a', 'x, y'],
  ])('%j', (line, name, text) => {
    expect(values(`[s.t]\n${line}\n`)).toEqual([['s.t', name, text]]);
  });

  it('ignores comments, blank lines, a byte order mark and the kind of line ends', () => {
    expect(values('\uFEFF# c\r\n\r\n[ s ]\r\n;c\r\na = 1\rb = 2')).toEqual([
      ['s', 'a', '1'],
      ['s', 'b', '2'],
    ]);
  });

  it.each<[string, string]>([
    ['a = 1', 'line 1 of f: a stands before the first [section]'],
    ['[s]\nword', 'line 2 of f: neither [section] nor name = value'],
    ['[s]\n= 1', 'line 2 of f: neither [section] nor name = value'],
    ['[s]\n  a = 1', 'line 2 of f: an indented line continues a value, and there is none above'],
    ['[s]\na = 1\n\n  2', 'line 4 of f: an indented line continues a value, and there is none above'],
    ['[]', 'line 1 of f: the section has no name'],
  ])('%j is a problem', (content, problem) => {
    expect(readIni(content, 'f').problems).toEqual([problem]);
  });

  it('gives back any one-line value that was written plainly', () => {
    const plain = fc.string().filter((text) => text === text.trim() && !/[\r\n\u2028\u2029"']/.test(text));
    fc.assert(fc.property(plain, (text) => expect(values(`[s]\na = ${text}`)).toEqual([['s', 'a', text]])));
  });
});

describe('loading', () => {
  it('needs neither file nor variables', () => {
    const { settings, runtime, warnings } = load({});
    expect(warnings).toEqual([]);
    expect(settings.DEFAULT.host).toBe('rack-4');
    expect(runtime).toEqual({
      home: resolve('.ferrolog'),
      ports: { api: 6385, inspector: 5050 },
      services: ['api', 'conductor', 'scheduler', 'inspector-simulator'],
      busPrefix: 'baremetal',
      natsUrl: null,
      logLevel: 'info',
      databaseUrl: null,
    });
  });

  it('reads the file; the environment wins; the short name wins over both', () => {
    const file = '[api]\nport = 1\nmax_limit = 7\n[conductor]\ninspect_wait_timeout = 4\n';
    expect(load({}, file).settings.api).toMatchObject({ port: 1, max_limit: 7 });
    const env = { FERROLOG_API__PORT: '2', FERROLOG_CONDUCTOR__INSPECT_WAIT_TIMEOUT: ' 9 ' };
    expect(load(env, file).settings).toMatchObject({ api: { port: 2 }, conductor: { inspect_wait_timeout: 9 } });
    const all = load({ ...env, FERROLOG_API_PORT: '3' }, file);
    expect([all.settings.api.port, all.runtime.ports.api]).toEqual([3, 3]);
    expect(load({ FERROLOG_API_PORT: '' }, file).settings.api.port).toBe(1);
  });

  it.each(declaredOptions().map(({ section, name }): [string, string] => [section, name]))(
    '[%s] %s has a variable of its own, and a bad value in it is named',
    (section, name) => {
      const variable = variableOf(section, name);
      const problems = problemsOf({ [variable]: '!? nonsense | $x\u0001'.repeat(10) });
      expect(problems).toEqual([expect.stringMatching(new RegExp(`^\\[${section}\\] ${name}: .*\\(${variable}\\)$`))]);
    },
  );

  it('warns about old names, unknown names and a $', () => {
    const { settings, warnings } = load(
      { FERROLOG_CONDUCTOR__INSPECT_TIMEOUT: '6', FERROLOG_API__PROT: '1', FERROLOG_INSTALL: '1' },
      '[api]\nprot = 1\n[glance]\na = 1\n[DEFAULT]\ndefault_resource_class = $host\n',
    );
    expect(settings.conductor.inspect_wait_timeout).toBe(6);
    expect(settings.DEFAULT.default_resource_class).toBe('$host');
    expect(warnings).toEqual([
      '[DEFAULT] default_resource_class holds a $ (line 6 of ferrolog.conf), which is taken as it stands',
      '[api] prot is no option that this release reads (line 2 of ferrolog.conf); it is ignored',
      '[glance] is no section that this release reads (line 4 of ferrolog.conf); [glance] a is ignored',
      '[conductor] inspect_timeout is deprecated (FERROLOG_CONDUCTOR__INSPECT_TIMEOUT); write inspect_wait_timeout',
      'FERROLOG_API__PROT is no option that this release reads; it is ignored',
    ]);
  });

  it('stops with all problems, one per line', () => {
    const env = {
      FERROLOG_API_PORT: '-1',
      FERROLOG_INSPECTOR_PORT: '70000',
      FERROLOG_SERVICES: 'api,janitor',
      FERROLOG_BUS_PREFIX: 'a.b',
      FERROLOG_LOG_LEVEL: 'loud',
      NATS_URL: 'http://secret@host',
      FERROLOG_MASTER_KEY: 'secret',
      DATABASE_URL: 'mysql://user:secret@host/db',
    };
    const problems = problemsOf(env, 'stray\n[conductor]\ninspect_wait_timeout = NaN\n');
    expect(problems).toEqual([
      'line 1 of ferrolog.conf: neither [section] nor name = value',
      '[api] port: -1 is less than 0 (FERROLOG_API_PORT)',
      '[conductor] inspect_wait_timeout: "NaN" is not a whole number (line 3 of ferrolog.conf)',
      'FERROLOG_MASTER_KEY is not a key: it has to be 32 bytes in base64 (openssl rand -base64 32)',
      'FERROLOG_INSPECTOR_PORT: "70000" is no port (0 to 65535)',
      'FERROLOG_SERVICES: "janitor" is no service (known: api, conductor, scheduler, inspector-simulator)',
      'FERROLOG_BUS_PREFIX: "a.b" is not one word of letters, digits, _ and -, up to 32',
      'NATS_URL: not an address like nats://host:4222, or several with commas between',
      'FERROLOG_LOG_LEVEL: "loud" is not one of debug, info, warn, error',
      'DATABASE_URL: not an address like postgres://user@host:5432/name; without one the log is in SQLite',
    ]);
    expect(problems.join()).not.toContain('secret');
    expect(() => load(env)).toThrow(/FERROLOG_INSPECTOR_PORT.*\n.*FERROLOG_SERVICES/);
  });

  it.each(['debug', 'Info', 'WARN', 'error'])('writes logs from %s on', (level) => {
    expect(load({ FERROLOG_LOG_LEVEL: level }).runtime.logLevel).toBe(level.toLowerCase());
  });

  it.each(['nats://127.0.0.1:4222', '127.0.0.1:4222', 'tls://a:1,nats://user:pw@b:2', 'nats://[::1]:4222/'])(
    'takes the broker address %s as it stands',
    (address) => expect(load({ NATS_URL: address }).runtime.natsUrl).toBe(address),
  );

  it.each(['postgres://u:pw@host:5432/db?sslmode=require', 'postgresql://127.0.0.1/db', 'postgres:///db?host=/run/pg'])(
    'takes the database address %s as it stands',
    (address) => expect(load({ DATABASE_URL: address }).runtime.databaseUrl).toBe(address),
  );

  it.each(['sqlite:///a.sqlite', '127.0.0.1:5432', 'postgres://', 'postgres://a b'])(
    'refuses the database address %s',
    (address) => expect(problemsOf({ DATABASE_URL: address })).toEqual([expect.stringMatching(/^DATABASE_URL: /)]),
  );

  it('starts the services that are named, in the usual order', () => {
    expect(load({ FERROLOG_SERVICES: 'scheduler, api' }).runtime.services).toEqual(['api', 'scheduler']);
  });
});

describe('a real file', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'settings-file-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is read from its path', () => {
    const path = join(folder, 'ferrolog.conf');
    writeFileSync(
      path,
      '[DEFAULT]\nhost = localhost\nenabled_inspect_interfaces = fake,\n  inspector\n[fake]\ninspect_delay = 1,2\n',
    );
    const { settings } = loadSettings({ FERROLOG_CONFIG: path, FERROLOG_HOME: folder });
    expect(settings.DEFAULT.host).toBe('localhost');
    expect(settings.DEFAULT.enabled_inspect_interfaces).toEqual(['fake', 'inspector']);
    expect(settings.fake.inspect_delay).toEqual({ baseS: 1, maxS: 2 });
  });

  it('that cannot be read stops the start', () => {
    const path = join(folder, 'missing.conf');
    expect(() => loadSettings({ FERROLOG_CONFIG: path })).toThrow(`FERROLOG_CONFIG: ${path} cannot be read (ENOENT`);
  });
});
