/** Reports on time: its precision, its zones, and clocks that differ or stand still. */
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@lib/ports';
import { Bed } from '../gates/bed';
import { requests } from '../gates/endpoints';
import { makeThings } from '../gates/things';
import { Whole } from '../whole';
import { expectSoundEnd } from './row';

jest.setTimeout(120_000);

const root = join(__dirname, '..', '..');
const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/;

it('CLK-01: the time of an event is that of its row and that of the API, 100 inspections long', async () => {
  const whole = await Whole.start();
  try {
    const api = await whole.api();
    const uuid = await api.machine({ inspect: 'fake' });
    for (let run = 1; run <= 100; run += 1) {
      await whole.pass(run * 7 + (run % 13));
      await api.inspect(uuid);
      const finished = (await whole.stored.log.readStream(`node/${uuid}`, 0, 1000)).at(-1);
      expect(finished?.type).toBe('InspectionFinished');
      const { at } = JSON.parse(finished?.data ?? '{}') as { at: number };
      const { inspection_finished_at: shown } = (await api.node(uuid)) as { inspection_finished_at: string };
      const [row] = await whole.stored.readModel.get('node', [uuid]);
      const kept = (JSON.parse(row?.json ?? '{}') as { inspection_finished_at: string }).inspection_finished_at;
      expect([shown, kept, Date.parse(shown)]).toEqual([kept, shown, at]);
      expect(shown).toMatch(STAMP);
      expect(new Date(Date.parse(shown)).toISOString().replace('Z', '000+00:00')).toBe(shown);
    }
  } finally {
    await expectSoundEnd(whole);
  }
});

/** Every member whose name ends with `_at`, at any depth. */
function stampsIn(value: unknown, name = ''): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((one) => stampsIn(one, name));
  if (typeof value !== 'object' || value === null) return name.endsWith('_at') ? [[name, value]] : [];
  return Object.entries(value).flatMap(([key, inner]) => stampsIn(inner, key));
}

it('CLK-02: every time in every answer is UTC and says so', async () => {
  const bed = await Bed.start();
  try {
    const things = await makeThings(bed);
    const seen = new Set<string>();
    const look = (path: string, answer: unknown): void => {
      for (const [name, value] of stampsIn(answer)) {
        if (value === null) continue;
        expect([path, name, value]).toEqual([path, name, expect.stringMatching(STAMP)]);
        seen.add(name);
      }
    };
    for (const [name, asking] of Object.entries(requests)) {
      const { path, body } = await asking(bed, things);
      const method = name.startsWith('*') ? 'GET' : name.slice(0, name.indexOf(' '));
      look(name, (await bed.ask(method, path, undefined, body)).body);
    }
    for (const path of ['nodes', 'conductors', 'ports']) {
      look(path, (await bed.must(200, 'GET', `/v1/${path}?detail=true`)).body);
    }
    for (const own of ['events', 'deadline', 'refused']) {
      look(own, (await bed.raw('GET', `/ferrolog/v1/nodes/${things.node}/${own}`, {})).body);
    }
    expect([...seen].sort()).toEqual(
      expect.arrayContaining([
        'created_at',
        'inspection_started_at',
        'provision_updated_at',
        'recorded_at',
        'updated_at',
      ]),
    );
  } finally {
    await bed.stop();
  }
});

const ZONES = ['UTC', 'Asia/Shanghai', 'America/St_Johns', 'Europe/Berlin'];

it('CLK-03: an inspection is the same in every zone, and over the night in which the clocks change', () => {
  // A process of its own: only there does a zone change while it runs.
  const program = `
    const { load, root } = await import(${JSON.stringify(join(root, 'scripts/docs/load-typescript.mjs'))});
    const { World, waiting, documentOf } = load(root + '/test/world/index.ts');
    const seen = [];
    for (const zone of ${JSON.stringify(ZONES)}) {
      process.env.TZ = zone;
      const world = new World();
      // Clocks are set forward in Newfoundland a second before the wait of half an hour is over.
      await world.clock.advanceBy(Date.UTC(2027, 2, 14, 5, 0, 1) - world.clock.now());
      await world.conductor();
      await world.scheduler();
      await waiting(world);
      await world.clock.advanceBy(1799999);
      const before = (await documentOf(world)).provision_state;
      await world.clock.advanceBy(1);
      const events = await world.memory.log.readAll(0, 1000);
      const offset = new Date(2027, 0, 1).getTimezoneOffset();
      seen.push({ offset, told: [before, await documentOf(world), events.map(({ type, data, recordedAt }) => [type, data, recordedAt])] });
      await world.stop();
    }
    console.log(JSON.stringify(seen));
  `;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC' },
  });
  expect([status, stderr]).toEqual([0, '']);
  const seen = JSON.parse(stdout) as { offset: number; told: unknown[] }[];
  expect(seen.map(({ offset }) => offset)).toEqual([0, -480, 210, -60]);
  expect(seen[0]?.told[0]).toBe('inspect wait');
  expect(seen[0]?.told[1]).toMatchObject({
    provision_state: 'inspect failed',
    provision_updated_at: '2027-03-14T05:30:01.000000+00:00',
  });
  for (const { told } of seen) expect(told).toEqual(seen[0]?.told);
});

it('CLK-03: no column of either database has a type that knows of zones', () => {
  const folder = join(root, 'libs/adapters/src/event-log-typeorm');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!spec)\.ts$/.test(name),
  );
  const texts = sources.map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(texts.join()).toMatch(/create table/i);
  expect(texts.filter((text) => /\b(timestamptz|timestamp with|datetime\()/i.test(text))).toEqual([]);
});

const timeout = (seconds: number) => ({ conductor: { inspect_wait_timeout: seconds } });

it('CLK-05: a restart in the middle of a wait moves its end by nothing', async () => {
  const whole = await Whole.start({ settings: timeout(10) });
  try {
    const api = await whole.api();
    const uuid = await api.waiting();
    const from = whole.clock.now();
    await whole.pass(6_000);
    // Time passes while it stops.
    await whole.conductors[0]?.stop();
    await whole.conductor();
    await whole.scheduler();
    await whole.pass(from + 9_999 - whole.clock.now());
    expect(await api.state(uuid)).toBe('inspect wait');
    await whole.pass(1_501);
    const [ended] = await api.events(uuid, 'InspectionTimedOut');
    expect(ended?.data['at']).toBeGreaterThanOrEqual(from + 10_000);
    expect(ended?.data['at']).toBeLessThanOrEqual(from + 11_500);
  } finally {
    await expectSoundEnd(whole);
  }
});

it('CLK-06: a deadline that passes while nobody is there fires once, soon, whoever comes and how many', async () => {
  const whole = await Whole.start({ settings: timeout(3) });
  try {
    const api = await whole.api();
    const uuid = await api.waiting();
    whole.conductors[0]?.kill();
    await whole.pass(30_000);
    await Promise.all([whole.conductor(), whole.conductor()]);
    await Promise.all([whole.scheduler(), whole.scheduler()]);
    const from = whole.clock.now();
    await whole.pass(1_500);
    await whole.pass(60_000);
    const ended = await api.events(uuid, 'InspectionTimedOut');
    expect(ended).toHaveLength(1);
    expect((ended[0]?.data['at'] as number) - from).toBeLessThanOrEqual(1_500);
  } finally {
    await expectSoundEnd(whole);
  }
});

const apart = (clock: Clock, byMs: number): Clock => ({
  now: () => clock.now() + byMs,
  after: (delayMs, run) => clock.after(delayMs, run),
});

it.each([120_000, -120_000])(
  'CLK-07: a conductor whose clock is off by %i ms moves a deadline by no more, and the difference is logged',
  async (skewMs) => {
    const whole = await Whole.start({ settings: timeout(600), keepsLines: true });
    try {
      const api = await whole.api();
      const uuid = await api.waiting();
      const from = whole.clock.now();
      const skewed = apart(whole.clock, skewMs);
      await whole.conductor(timeout(600), skewed);
      await whole.scheduler(skewed);
      await whole.pass(20_000);
      const differ = whole.lines.filter(({ text }) => text === 'the clocks of two conductors differ');
      expect(differ.length).toBeGreaterThan(0);
      for (const { fields } of differ) expect((fields as { aheadMs: number }).aheadMs).toBeGreaterThan(100_000);
      whole.conductors[0]?.kill();
      await whole.pass(730_000);
      const own = await whole.stored.log.readStream(`node/${uuid}`, 0, 100);
      const ended = own.filter(({ type }) => type === 'InspectionTimedOut');
      expect(ended).toHaveLength(1);
      expect(ended[0]?.recordedAt).toBeGreaterThanOrEqual(from + 600_000 - Math.abs(skewMs));
      expect(ended[0]?.recordedAt).toBeLessThanOrEqual(from + 600_000 + Math.abs(skewMs) + 2_000);
    } finally {
      await whole.stop();
    }
  },
);
