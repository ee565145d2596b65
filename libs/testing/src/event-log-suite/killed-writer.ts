import type { Append, Change, EventLog, ReadModel } from '@lib/ports';
import { appending, expectIntactChains, foldOf, named, freed, won } from './appending';

const LANES = ['node/a', 'node/b', 'node/c', 'node/d'];
const FAR = 1_000_000_000_000;

/** Every tenth event removes the resource: what there is to see follows from the version alone. */
const isThere = (version: number) => version % 10 !== 0;
const nameAt = (stream: string, version: number) => `${stream}@${version}`;
const jsonAt = (stream: string, version: number) => JSON.stringify({ stream, version });

/**
 * Appends to a few streams until the process ends, one after the other in each, and tells each command id once its
 * append was acknowledged.
 */
export async function keepWriting(
  log: EventLog,
  run: string,
  acknowledge: (commandId: string) => void,
): Promise<never> {
  await Promise.all(
    LANES.map(async (stream) => {
      const before = (await log.versions([stream])).get(stream)?.version ?? 0;
      for (let version = before + 1; ; version++) {
        won(await log.append(step(stream, version, `${run}/${nameAt(stream, version)}`)));
        acknowledge(`${run}/${nameAt(stream, version)}`);
      }
    }),
  );
  throw new Error('the lanes never end');
}

function step(stream: string, version: number, commandId: string): Append {
  const there = isThere(version);
  const rename = [...(isThere(version - 1) ? [freed(stream, nameAt(stream, version - 1))] : [])];
  const changes: Change[] = [
    ...rename,
    ...marks(stream, version - 1, 'closed'),
    ...(there ? [named(stream, nameAt(stream, version)), ...marks(stream, version, 'open')] : []),
    there
      ? { change: 'put', kind: 'node', id: stream, version, json: jsonAt(stream, version), columns: {} }
      : { change: 'remove', kind: 'node', id: stream },
  ];
  const expected = isThere(version - 1) && version > 1 ? version - 1 : 'absent';
  return appending({ [stream]: expected }, { commandId, changes, removes: !there, data: { version } });
}

const marks = (stream: string, n: number, status: 'open' | 'closed'): Change[] => [
  { change: 'deadline', stream, n, attempt: n, due: FAR + n, status },
  { change: 'effect', stream, n, attempt: n, status, json: '{}' },
];

/** After a kill: all that was acknowledged is there, the chains hold, and the derived data is the fold of the log. */
export async function expectNothingLost(
  { log, readModel }: { log: EventLog; readModel: ReadModel },
  acknowledged: readonly string[],
): Promise<void> {
  const events = await expectIntactChains(log);
  const commands = new Set(events.map(({ meta }) => (JSON.parse(meta) as { commandId: string }).commandId));
  expect(acknowledged.filter((commandId) => !commands.has(commandId))).toEqual([]);
  const versions = await foldOf(log);
  const there = LANES.flatMap((stream) => {
    const version = versions.get(stream) ?? 0;
    return isThere(version) ? [{ stream, version }] : [];
  });
  const documents = await readModel.get('node', LANES);
  expect(documents.map(({ id, version, json }) => [id, version, json]).sort()).toEqual(
    there.map(({ stream, version }) => [stream, version, jsonAt(stream, version)]),
  );
  const deadlines = await readModel.deadlines(FAR * 2, 100);
  expect(deadlines.map(({ stream, n }) => [stream, n]).sort()).toEqual(
    there.map(({ stream, version }) => [stream, version]),
  );
  const everyName = [...versions].flatMap(([stream, last]) =>
    Array.from({ length: last }, (_, i) => nameAt(stream, i + 1)),
  );
  const owners = await readModel.owners('node name', everyName);
  expect([...owners].sort()).toEqual(there.map(({ stream, version }) => [nameAt(stream, version), stream]));
}
