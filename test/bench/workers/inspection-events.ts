import { eventSubject, subjects } from '@lib/contracts';
import { connect, type NatsConnection } from 'nats';

const ENDINGS = ['InspectionFinished', 'InspectionTimedOut', 'InspectionAborted', 'InspectionFailed'] as const;
export type EndingType = (typeof ENDINGS)[number];

class Promised<T> {
  resolve: (value: T) => void = () => undefined;
  readonly promise = new Promise<T>((resolve) => (this.resolve = resolve));
}

/** What the broker's stream tells of one node. */
class Told {
  readonly waits = new Promised<void>();
  readonly ended = new Promised<EndingType>();
  /** More than one is a fault. */
  readonly endings: EndingType[] = [];
}

/** Tells when inspections begin to wait and how they end, so that nobody polls. */
export class InspectionEvents {
  private readonly nodes = new Map<string, Told>();

  private constructor(private readonly nats: NatsConnection) {}

  static async open(natsUrl: string, prefix: string): Promise<InspectionEvents> {
    const events = new InspectionEvents(await connect({ servers: natsUrl }));
    const word = (type: string): string => eventSubject(prefix, 'node/x', type).split('.').slice(-2)[0] ?? '';
    const endings = new Map(ENDINGS.map((type) => [word(type), type]));
    const waiting = word('InspectionWaiting');
    events.nats.subscribe(subjects.allEvents(prefix).replace('>', 'inspection.>'), {
      callback: (_error, { subject }) => {
        const [happened = '', uuid = ''] = subject.split('.').slice(-2);
        const told = events.nodes.get(uuid);
        if (told === undefined) return;
        if (happened === waiting) told.waits.resolve();
        const type = endings.get(happened);
        if (type === undefined) return;
        told.endings.push(type);
        told.ended.resolve(type);
      },
    });
    await events.nats.flush();
    return events;
  }

  /** To be asked before the inspection is. */
  of(uuid: string): Told {
    const told = new Told();
    this.nodes.set(uuid, told);
    return told;
  }

  endingsOf(uuid: string): readonly EndingType[] {
    return this.nodes.get(uuid)?.endings ?? [];
  }

  close(): Promise<void> {
    return this.nats.close();
  }
}
