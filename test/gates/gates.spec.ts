/**
 * Every gate of the contract's table of versions, asked of the whole stack at the version before it, at its own and at the
 * next: what is answered below is as much a part of the contract as what is answered from there on.
 */
import { Bed } from './bed';
import { endpointProbes, endpoints, requests } from './endpoints';
import { facts } from './facts';
import { familyProbes } from './families';
import { nodeFieldProbes } from './node-fields';
import { otherFieldProbes } from './other-fields';
import { testEach } from './probe';
import { nodeArguments, queryProbes } from './queries';
import { ruleProbes } from './rules';
import { makeThings, type Things } from './things';
import { knownArguments, knownHeartbeatArguments, knownTargets, verbProbes } from './verbs';

let bed: Bed;
let things: Things;

beforeAll(async () => {
  bed = await Bed.start();
  things = await makeThings(bed);
}, 60_000);
afterAll(() => bed.stop());

const place = () => ({ bed, things });

testEach('endpoints', endpointProbes, place);
testEach('families', familyProbes, place);
testEach('fields of nodes', nodeFieldProbes, place);
testEach('fields of other resources', otherFieldProbes, place);
testEach('arguments of queries', queryProbes, place);
testEach('verbs and what goes with them', verbProbes, place);
testEach('rules of single versions', ruleProbes, place);

describe('nothing of the table is forgotten', () => {
  const named = (table: object) =>
    Object.keys(table)
      .filter((name) => name !== '_note')
      .sort();

  it.each([
    ['endpoints', Object.keys(requests), endpoints.map(({ key }) => key).sort()],
    ['query arguments of nodes', nodeArguments, named(facts.node_filters)],
    ['verbs', knownTargets, named(facts.provision_targets)],
    ['arguments of provisioning', knownArguments, named(facts.provision_arguments)],
    ['arguments of heartbeats', knownHeartbeatArguments, named(facts.heartbeat_arguments)],
  ])('%s', (_, asked, wanted) => expect([...asked].sort()).toEqual(wanted));

  /** Rules of access (71, 80), a preference that is always on (79), a header that every answer of every version has (107). */
  const unseen = ['71', '79', '80', '107'];

  it('every version that changes something is asked for', () => {
    const gates = [
      ...endpointProbes,
      ...nodeFieldProbes,
      ...otherFieldProbes,
      ...queryProbes,
      ...verbProbes,
      ...ruleProbes,
    ].map(({ gate }) => gate);
    const asked = new Set(gates);
    expect(Object.keys(facts.versions).filter((version) => !asked.has(Number(version)))).toEqual(unseen);
  });
});
