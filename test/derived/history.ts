import type { Command } from '@lib/contracts';
import type { Append } from '@lib/ports';
import { World, creation, maintain, patch, powerTo, provision, removal, replace, unmaintain, uuidOf } from '../world';
import type { Held, Word } from '../world';

export const projection = { errorCharsMax: 4096, historyEntriesMax: 300 };

/** An append as it won, and the clock then. */
export interface Appended {
  readonly append: Append;
  readonly at: number;
}

/** Throws of one die, the same for the same seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const macs = ['52:54:00:aa:00:01', '52:54:00:aa:00:02', '52:54:00:aa:00:03'];
const verbs = ['manage', 'inspect', 'inspect', 'inspect', 'inspect', 'abort', 'abort', 'provide'];
const interfaces = ['inspector', 'inspector', 'fake', 'agent'];
const words: readonly Word[] = ['abort', 'start', 'inspect', 'power'];

function someCommand(throwDie: (sides: number) => number, nodes: number): Command {
  const node = uuidOf(1 + throwDie(nodes));
  const port = uuidOf(91 + throwDie(3));
  const one = <T>(values: readonly T[]): T => values[throwDie(values.length)] as T;
  const commands: readonly (() => Command)[] = [
    () => creation(node, { inspect_interface: one(interfaces), driver_info: { password: 'x' } }),
    ...verbs.map((verb) => () => provision(verb, node)),
    () => powerTo(one(['power on', 'power off']), node),
    () => maintain(node),
    () => unmaintain(node),
    () => removal(node),
    () => patch([replace('/name', one(['rack-1', 'rack-2', 'rack-3']))], node),
    () => patch([{ op: 'remove', path: '/name' }], node),
    () => ({
      type: 'CreateResource',
      kind: 'port',
      minor: 82,
      uuid: port,
      nodeUuid: node,
      fields: { address: one(macs) },
    }),
    () => ({ type: 'RemoveResource', kind: 'port', uuid: port, nodeUuid: node }),
  ];
  return one(commands)();
}

/** A history that stands still: what its log and the tables beside it hold changes no more until it is ended. */
export interface History {
  readonly world: World;
  readonly appended: readonly Appended[];
  end(): Promise<void>;
}

/**
 * A history through the real use cases: nodes and ports come, change and go, inspections end in all ways, peers refuse. It
 * ends with a node that is in every table: it waits, with a name, a port, an inventory, an error and an open effect.
 */
export async function play(seed: number, { steps = 150, nodes = 4 } = {}): Promise<History> {
  const world = new World();
  const appended: Appended[] = [];
  record(world, appended);
  const { sync } = await world.conductor();
  await world.scheduler();
  reports(world);
  const throwDie = dice(seed);
  for (let node = 1; node <= nodes; node += 1) {
    await world.do(creation(uuidOf(node)));
    await world.do(provision('manage', uuidOf(node)));
  }
  for (let step = 0; step < steps; step += 1) {
    const [kind, word] = [throwDie(12), words[throwDie(words.length)] as Word];
    if (kind < 8) world.send(someCommand(throwDie, nodes));
    else if (kind === 8) await world.clock.advanceBy([0, 100, 5_000, 1_900_000][throwDie(4)] ?? 0);
    else if (kind === 9) world.script.refuse(word, new Error('the peer refuses'));
    else if (kind === 10) await sync.run();
    else world.script.obey(word);
    await world.settle();
  }
  for (const word of words) world.script.obey(word);
  await world.clock.advanceBy(2_000_000);
  const held = await fullNode(world, () => sync.run());
  return {
    world,
    appended,
    end: async () => {
      held.refuse(new Error('over'));
      await world.stop();
    },
  };
}

export const FULL = uuidOf(50);
export const FULL_PORT = uuidOf(51);

async function fullNode(world: World, sync: () => Promise<void>): Promise<Held> {
  world.script.play('inspect', () => ({
    returned: 'INSPECTWAIT',
    manageBoot: false,
    lookupBmcAddresses: ['192.0.2.7', '192.0.2.8'],
  }));
  await world.do(creation(FULL, { name: 'full', driver_info: { password: 'x' } }));
  await world.do({
    type: 'CreateResource',
    kind: 'port',
    minor: 82,
    uuid: FULL_PORT,
    nodeUuid: FULL,
    fields: { address: '52:54:00:aa:00:99' },
  });
  await world.do(provision('manage', FULL));
  await world.do(provision('inspect', FULL));
  await world.clock.advanceBy(100);
  await sync();
  await world.do(provision('inspect', FULL));
  world.script.refuse('abort', new Error('the peer refuses'));
  world.send(provision('abort', FULL));
  await world.clock.advanceBy(100);
  const held = world.script.hold('power');
  world.send(powerTo('power on', FULL));
  await world.settle();
  return held;
}

function reports(world: World): void {
  world.script.play('report', ({ node }) => ({
    state: 'ended',
    startedAt: world.clock.now(),
    error: null,
    data: { inventory: { node }, root_disk: { name: '/dev/sda' } },
  }));
}

function record(world: World, appended: Appended[]): void {
  const { log } = world.memory;
  const append = log.append.bind(log);
  Object.assign(log, {
    append: async (one: Append) => {
      const at = world.clock.now();
      const result = await append(one);
      if (result.ok) appended.push({ append: one, at });
      return result;
    },
  });
}
