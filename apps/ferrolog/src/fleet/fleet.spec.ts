import { painter } from '../screen';
import { weightsOf } from './command';
import { fleetOf, type FleetWishes } from './plan';
import { countsOf, fleetDocument, fleetLines } from './report';
import type { FleetResult } from './run';

const wishes: FleetWishes = {
  nodes: 40,
  weights: { succeed: 2, never: 1, error: 1 },
  seed: '4711',
  afterSeconds: 0.5,
  timeoutSeconds: 3,
  tag: 'beef',
  driver: 'fake-hardware',
  inspectInterface: 'inspector',
};
const scripts = (part: Partial<FleetWishes>): string[] =>
  fleetOf({ ...wishes, ...part }).map(({ script }) => script.script);

describe('a fleet', () => {
  it('is dealt by its seed alone', () => {
    expect(scripts({})).toEqual(scripts({ tag: 'f00d' }));
    expect(scripts({ nodes: 10 })).toEqual(scripts({}).slice(0, 10));
    expect(scripts({})).not.toEqual(scripts({ seed: '4712' }));
    expect(new Set(scripts({}))).toEqual(new Set(['succeed', 'never', 'error']));
  });

  it('has names and MACs of its own', () => {
    const nodes = fleetOf({ ...wishes, nodes: 300 });
    expect(nodes[0]).toMatchObject({ name: 'fleet-beef-0001', ports: [{ address: '02:be:ef:00:00:00' }] });
    expect(new Set(nodes.map(({ ports }) => JSON.stringify(ports))).size).toBe(300);
  });

  it('leaves the deadline to the server where it is asked to', () => {
    expect(fleetOf({ ...wishes, timeoutSeconds: 0 })[0]?.body).toMatchObject({ driver_info: {} });
    expect(fleetOf(wishes)[0]?.body).toMatchObject({ driver_info: { inspect_wait_timeout: 3 } });
  });

  it('expects a timeout of data that comes too late', () => {
    const endings = fleetOf({ ...wishes, weights: { succeed: 1 }, afterSeconds: 9 }).map(
      ({ expected }) => expected.ending,
    );
    expect(new Set(endings)).toEqual(new Set(['timed out']));
  });
});

describe('weights', () => {
  it('are script=number', () => expect(weightsOf('succeed=8, never=0.5')).toEqual({ succeed: 8, never: 0.5 }));
  it.each(['succeed', 'sing=1', 'succeed=-1', 'succeed=x', '', 'never=0'])('are not "%s"', (text) => {
    expect(() => weightsOf(text)).toThrow();
  });
});

describe('the summary', () => {
  const results: FleetResult[] = fleetOf({ ...wishes, nodes: 12, weights: { succeed: 1 } }).map((node, at) => ({
    node,
    uuid: `u${at}`,
    tookMs: 1000,
    differences: at === 0 ? ['power on, not power off'] : [],
  }));

  it('counts by script', () => {
    expect(countsOf(results)).toEqual([{ script: 'succeed', ending: 'inspected', nodes: 12, asScripted: 11 }]);
  });

  it('names what is not as scripted, and the rate', () => {
    const text = fleetLines(results, 6000, { paint: painter(false), width: null }).join('\n');
    expect(text).toContain('12 nodes in 6.0 s, 2.0 a second; 1 did not end as scripted.');
    expect(text).toContain('fleet-beef-0001 (succeed): power on, not power off');
  });

  it('is ok as JSON only if all is, and nothing stays', () => {
    const ok = (some: readonly FleetResult[], left: string[]) =>
      (fleetDocument(some, 1000, left) as { ok: boolean }).ok;
    expect([ok(results, []), ok(results.slice(1), []), ok(results.slice(1), ['u1 stays'])]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
