import fc from 'fast-check';
import { openMemoryLog } from '@lib/adapters/event-log-memory';
import type { MemoryLog } from '@lib/adapters/event-log-memory';
import { documentSchemas } from '@lib/contracts';
import type { Command } from '@lib/contracts';
import { emptyStream, evolve, evolveResource } from '@lib/domain';
import type { NodeEvent, Resource, ResourceEvent } from '@lib/domain';
import type { Change, RecordedEvent } from '@lib/ports';
import {
  World,
  creation,
  maintain,
  patch,
  powerTo,
  provision,
  removal,
  replace,
  unmaintain,
  uuidOf,
} from '../../../../test/world';
import type { Word } from '../../../../test/world';
import { uuidOfStream } from '../node-streams';
import { projectResource } from '../plain-resources';
import { projectNode } from './project-node';

const nodes = [uuidOf(1), uuidOf(2)] as const;
const ports = [uuidOf(91), uuidOf(92)] as const;
const macs = ['52:54:00:aa:00:01', '52:54:00:aa:00:02'];

type Step =
  | { readonly step: 'command'; readonly command: Command; readonly settle: boolean }
  | { readonly step: 'time'; readonly ms: number }
  | {
      readonly step: 'peer';
      readonly word: Word;
      readonly how: 'obey' | 'refuse' | 'hold';
    }
  | { readonly step: 'sync' }
  /** The log can not be written for a moment. */
  | { readonly step: 'fault' };

const node = fc.constantFrom(...nodes);
const port = fc.constantFrom(...ports);
const name = fc.constantFrom('rack-1', 'rack-2', null);
const interfaces = fc.constantFrom('inspector', 'fake', 'agent', 'legacy');

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ uuid: node, name, inspect: interfaces, seconds: fc.constantFrom(0, 2, 60) }).map((one) =>
    creation(one.uuid, {
      name: one.name,
      inspect_interface: one.inspect,
      driver_info: { inspect_wait_timeout: one.seconds, password: 'x' },
    }),
  ),
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('manage', 'inspect', 'inspect', 'abort', 'abort', 'provide'), node)
      .map(([verb, uuid]) => provision(verb, uuid)),
  },
  fc.tuple(fc.constantFrom('power on', 'power off', 'rebooting'), node).map(([target, uuid]) => powerTo(target, uuid)),
  {
    weight: 2,
    arbitrary: fc.tuple(node, fc.constantFrom('extend', 'pause', 'resume', 'resume')).map(([uuid, kind]): Command => {
      const change = kind === 'extend' ? ({ kind, seconds: 2 } as const) : { kind: kind as 'pause' | 'resume' };
      return { type: 'ChangeDeadline', uuid, change, reason: null };
    }),
  },
  node.map((uuid) => maintain(uuid)),
  node.map((uuid) => unmaintain(uuid)),
  node.map((uuid) => removal(uuid)),
  fc
    .tuple(node, fc.constantFrom('rack-1', 'rack-2', 'rack-3'))
    .map(([uuid, wanted]) => patch([replace('/name', wanted)], uuid)),
  node.map((uuid) => patch([{ op: 'remove', path: '/name' }], uuid)),
  fc.tuple(node, interfaces).map(([uuid, wanted]) => patch([replace('/inspect_interface', wanted)], uuid)),
  fc
    .tuple(node, fc.boolean())
    .map(([uuid, boots]): Command =>
      boots
        ? { type: 'SetBootDevice', uuid, device: 'pxe', persistent: false }
        : { type: 'Manage', uuid, act: { act: 'set console', enabled: true } },
    ),
  fc.tuple(port, node, fc.constantFrom(...macs)).map(([uuid, nodeUuid, address]): Command => ({
    type: 'CreateResource',
    kind: 'port',
    minor: 82,
    uuid,
    nodeUuid,
    fields: { address },
  })),
  fc.tuple(port, node, node).map(([uuid, nodeUuid, to]): Command => ({
    type: 'PatchResource',
    kind: 'port',
    uuid,
    nodeUuid,
    patch: [replace('/node_uuid', to)],
    minor: 82,
  })),
  fc.tuple(port, node).map(([uuid, nodeUuid]): Command => ({ type: 'RemoveResource', kind: 'port', uuid, nodeUuid })),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc
      .tuple(command, fc.boolean())
      .map(([one, settle]): Step => ({ step: 'command', command: one, settle })),
  },
  { weight: 3, arbitrary: fc.constantFrom(0, 100, 2000, 5000).map((ms): Step => ({ step: 'time', ms })) },
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.constant('peer' as const),
      word: fc.constantFrom('abort', 'abort', 'start', 'inspect', 'power', 'read power'),
      how: fc.constantFrom('obey', 'refuse', 'hold'),
    }) as fc.Arbitrary<Step>,
  },
  { weight: 1, arbitrary: fc.constant<Step>({ step: 'sync' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ step: 'fault' }) },
);

async function play(steps: readonly Step[]): Promise<World> {
  const world = new World();
  const { sync } = await world.conductor();
  await world.scheduler();
  world.script.play('report', () => ({
    state: 'ended',
    startedAt: world.clock.now(),
    error: null,
    data: { inventory: { at: world.clock.now() } },
  }));
  for (const uuid of nodes) await world.do(creation(uuid, { driver_info: { inspect_wait_timeout: 3, password: 'x' } }));
  for (const uuid of nodes) await world.do(provision('manage', uuid));
  for (const one of steps) {
    switch (one.step) {
      case 'command':
        world.send(one.command);
        if (one.settle) await world.settle();
        break;
      case 'time':
        await world.clock.advanceBy(one.ms);
        break;
      case 'peer':
        if (one.how === 'obey') world.script.obey(one.word);
        if (one.how === 'refuse') world.script.refuse(one.word, new Error('refused'));
        if (one.how === 'hold') world.script.play(one.word, () => new Promise(() => undefined));
        break;
      case 'sync':
        await sync.run();
        break;
      case 'fault':
        world.memory.store.fault = 'disk full';
        await world.clock.advanceBy(300);
        world.memory.store.fault = null;
        break;
    }
  }
  await world.clock.advanceBy(100);
  return world;
}

const resourceEvent = ({ type, data }: RecordedEvent): ResourceEvent =>
  ({ type, data: JSON.parse(data) }) as ResourceEvent;

/** What a port's stream leads to, in one projection. */
function portChanges(events: readonly RecordedEvent[]): Change[] {
  const resource = events.map(resourceEvent).reduce<Resource>(evolveResource, null);
  const [first] = events;
  return resource && first ? projectResource('port', uuidOfStream(first.stream), null, resource, events.length) : [];
}

/** What a node's stream leads to: its present life in one projection, after the fold of those before. */
function nodeChanges(uuid: string, events: readonly RecordedEvent[]): Change[] {
  const all = events.map(({ type, data }) => ({ type, data: JSON.parse(data) }) as NodeEvent);
  const born = all.findLastIndex(({ type }) => type === 'NodeRemoved') + 1;
  const before = all.slice(0, born).reduce(evolve, emptyStream);
  const source = { uuid, host: 'conductor-1', actor: null };
  if (born === all.length) return [];
  return [
    ...projectNode(before, born, all.slice(born), source, { errorCharsMax: 4096, historyEntriesMax: 300 }).changes,
  ];
}

/** A store made of nothing but the log's events, each stream projected from its first event in one go. */
async function rebuilt(world: World): Promise<MemoryLog> {
  const again = openMemoryLog({ schemas: documentSchemas, clock: world.clock });
  const streams = new Map<string, RecordedEvent[]>();
  for (const event of await world.memory.log.readAll(0, 100_000)) {
    streams.set(event.stream, [...(streams.get(event.stream) ?? []), event]);
  }
  let count = 0;
  for (const [stream, events] of streams) {
    const uuid = stream.slice(stream.indexOf('/') + 1);
    const changes = stream.startsWith('node/') ? nodeChanges(uuid, events) : portChanges(events);
    const meta = {
      commandId: `rebuild ${++count}`,
      requestId: null,
      actor: null,
      source: 'spec',
      at: 0,
      causation: null,
    };
    const written = await again.log.append({
      writes: [{ stream, expected: 'absent', events: [{ type: 'Rebuilt', schema: 1, data: {} }] }],
      changes,
      meta,
    });
    expect(written.ok).toBe(true);
  }
  return again;
}

/** Everything derived, in an order of its own. */
async function derived({ store, readModel, leases }: MemoryLog): Promise<unknown> {
  const kinds = documentSchemas.map(({ kind }) => kind);
  const documents = await Promise.all(
    kinds.map(async (kind) => {
      const all = await readModel.list({ kind, where: [], sort: { column: 'seq', descending: false }, limit: 10_000 });
      // An inventory shows the version of the append that brought it, which one projection of a whole stream cannot tell.
      const shown = (version: number) => (kind === 'node_inventory' ? null : version);
      return (all ?? []).map(({ id, version, json }) => [kind, id, shown(version), JSON.parse(json) as unknown]);
    }),
  );
  const byText = (values: unknown[]): unknown[] => values.map((one) => JSON.stringify(one)).sort();
  const far = Number.MAX_SAFE_INTEGER;
  const effects: unknown[] = [];
  for (const { stream, n, attempt, json } of await leases.claim('look', far, 1, 1000))
    effects.push([stream, n, attempt, json]);
  return {
    documents: byText(documents.flat()),
    owners: [...store.view.owners].sort(),
    deadlines: byText([...store.deadlines.values()]),
    effects: byText(effects),
  };
}

const deep = [
  'NodeUpdated',
  'NodeRemoved',
  'MaintenanceCleared',
  'InspectionWaiting',
  'InspectionFinished',
  'InspectionFailed',
  'InspectionTimedOut',
  'InspectionAbortRefused',
  'InspectionAborted',
  'InspectionRemoved',
  'PowerChangeFailed',
  'CleanUpFailed',
  'DeadlineExtended',
  'DeadlinePaused',
  'DeadlineResumed',
  'BootDeviceChanged',
  'ManagementDone',
  'EffectClosed',
  'PortChanged',
  'PortRemoved',
];

describe('the read model', () => {
  it('is what a fold from the first event gives, whatever came', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), async (steps) => {
        const world = await play(steps);
        const again = await rebuilt(world);
        expect(await derived(world.memory)).toEqual(await derived(again));
        for (const { type } of await world.memory.log.readAll(0, 100_000)) seen.add(type);
        world.script.refuse('inspect', new Error('over'));
        await world.stop();
      }),
      { numRuns: 200, seed: 20261201, interruptAfterTimeLimit: 60_000 },
    );
    // The dice must reach deep enough to prove something.
    expect([...deep].filter((type) => !seen.has(type))).toEqual([]);
  }, 120_000);
});
