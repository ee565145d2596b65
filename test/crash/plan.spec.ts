import { FATES, planRound, roundSeed, uuidsFrom, VICTIMS } from './plan';

const SIZE = { nodes: 200, lengthMs: 30_000, kills: 12 };

describe('the plan of a round', () => {
  it('follows from its seed alone', () => {
    expect(planRound(7, SIZE)).toEqual(planRound(7, SIZE));
    expect(planRound(7, SIZE)).not.toEqual(planRound(8, SIZE));
  });

  it('kills every kind of victim as often, in the order of time, within the round', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const { kills } = planRound(seed, SIZE);
      expect(VICTIMS.map((victim) => kills.filter((kill) => kill.victim === victim).length)).toEqual([3, 3, 3, 3]);
      expect(kills).toEqual([...kills].sort((a, b) => a.atMs - b.atMs));
      expect(kills.every(({ atMs }) => atMs >= 0 && atMs <= SIZE.lengthMs)).toBe(true);
    }
  });

  it('has machines of every fate and both interfaces, and none without a deadline', () => {
    const { nodes } = planRound(1, SIZE);
    expect(nodes).toHaveLength(SIZE.nodes);
    expect(new Set(nodes.map(({ fate }) => fate))).toEqual(new Set(FATES));
    expect(new Set(nodes.map((node) => node.inspectInterface))).toEqual(new Set(['agent', 'inspector']));
    expect(nodes.every(({ timeoutS }) => timeoutS > 0)).toBe(true);
  });

  it('gives each round of a campaign a seed of its own', () => {
    const seeds = Array.from({ length: 200 }, (_, round) => roundSeed(4711, round));
    expect(new Set(seeds).size).toBe(200);
  });

  it('names machines by uuids', () => {
    const next = uuidsFrom(3);
    const uuids = Array.from({ length: 100 }, next);
    expect(new Set(uuids).size).toBe(100);
    for (const uuid of uuids) expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
