import { connect } from 'nats';
import { eventSubject, subjects } from '@lib/contracts';
import { Connections, requestText } from '../http-client';

/** How an inspection comes to its end. */
export type Ending = 'callback' | 'timeout' | 'abort';

export interface CyclesOrder {
  readonly natsUrl: string;
  readonly prefix: string;
  readonly port: number;
  readonly connections: number;
  readonly uuids: readonly string[];
  readonly ending: Ending;
  /** What ramdisks post, by the uuid of their node. */
  readonly reports?: Readonly<Record<string, unknown>>;
  readonly patienceMs: number;
}

export interface CyclesResult {
  readonly ended: number;
  /** From the first request to the last ending in the broker's stream. */
  readonly seconds: number;
  /** Endings of another kind, refused requests and the like. */
  readonly failures: Readonly<Record<string, number>>;
}

const wanted: Readonly<Record<Ending, string>> = {
  callback: 'InspectionFinished',
  timeout: 'InspectionTimedOut',
  abort: 'InspectionAborted',
};
const endings = ['InspectionFinished', 'InspectionTimedOut', 'InspectionAborted', 'InspectionFailed'];

/** Takes each node through one inspection, led by the events that go out: nobody polls. */
export async function driveCycles(order: CyclesOrder): Promise<CyclesResult> {
  const { natsUrl, prefix, port, connections, uuids, ending, reports = {}, patienceMs } = order;
  const nats = await connect({ servers: natsUrl });
  const client = new Connections(port, connections);
  const failures: Record<string, number> = {};
  const failed = (what: string): void => void (failures[what] = (failures[what] ?? 0) + 1);
  const ask = (what: string, text: string): void =>
    void client.send(text).then(
      ({ status }) => status !== 202 && failed(`${what} ${status}`),
      (error: Error) => failed(`${what} ${error.message}`),
    );
  const open = new Set(uuids);
  const word = (type: string): string => eventSubject(prefix, 'node/x', type).split('.').slice(-2)[0] ?? '';
  const endingWords = new Map(endings.map((type) => [word(type), type]));
  const waiting = word('InspectionWaiting');
  const act = (uuid: string): void => {
    if (ending === 'abort') ask('abort', requestText('PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'abort' }));
    if (ending === 'callback')
      ask('callback', requestText('POST', `/v1/continue_inspection?node_uuid=${uuid}`, reports[uuid]));
  };
  try {
    let lastAt = 0;
    const all = new Promise<void>((resolve) => {
      const ended = (uuid: string, type: string): void => {
        if (!open.delete(uuid)) return;
        if (type !== wanted[ending]) failed(type);
        lastAt = performance.now();
        if (open.size === 0) resolve();
      };
      nats.subscribe(subjects.allEvents(prefix).replace('>', 'inspection.>'), {
        callback: (_error, { subject }) => {
          const [happened = '', uuid = ''] = subject.split('.').slice(-2);
          if (!open.has(uuid)) return;
          if (happened === waiting) return act(uuid);
          const type = endingWords.get(happened);
          if (type !== undefined) ended(uuid, type);
        },
      });
    });
    await nats.flush();
    const startedAt = performance.now();
    for (const uuid of uuids)
      ask('inspect', requestText('PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'inspect' }));
    const patience = new Promise<void>((resolve) => setTimeout(resolve, patienceMs).unref());
    await Promise.race([all, patience]);
    if (open.size > 0) failures['no ending'] = open.size;
    return { ended: uuids.length - open.size, seconds: (lastAt - startedAt) / 1000, failures };
  } finally {
    client.close();
    await nats.close();
  }
}
