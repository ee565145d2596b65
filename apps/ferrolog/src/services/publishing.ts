import { JetStreamEventStream } from '@lib/adapters/event-stream-jetstream';
import { SettingsError } from '@lib/adapters/settings-file';
import type { LoadedSettings } from '@lib/adapters/settings-file';
import { systemClock } from '@lib/adapters/system-clock';
import { subjects } from '@lib/contracts';
import { ForeignLogError } from '@lib/ports';
import type { EventLog, EventStream, Logger } from '@lib/ports';
import { EventPublisher } from '@lib/usecases/publish-events';
import { NotificationPublisher } from '@lib/usecases/publish-notifications';
import { publishingTroubled } from './serve-ready';
import type { Stopper } from './stopper';

interface Place {
  readonly loaded: LoadedSettings;
  /** Of the broker. */
  readonly url: string;
  readonly logger: Logger;
  readonly stopper: Stopper;
  /** The stream belongs to another log, or to a later copy of this one: the service has to stop. */
  readonly onForeign: (sentence: string) => void;
}

type Publisher = Pick<EventPublisher, 'start' | 'stop' | 'ended' | 'troubled'>;

export interface Publishing {
  /** What fails at the moment although the service serves. */
  troubled(): readonly string[];
}

/** Publishes the log's events, and notifications where the settings want them, until the service stops. */
export async function publishFrom(log: EventLog, logId: string, place: Place): Promise<Publishing> {
  const { logger, loaded } = place;
  const { busPrefix: prefix } = loaded.runtime;
  const {
    notification_level: least,
    versioned_notifications_topics: topics,
    log_in_db_max_size,
  } = loaded.settings.DEFAULT;
  const common = { log, clock: systemClock, logger, prefix };
  const events = await run(
    { name: 'ferrolog publisher', streamName: subjects.streamName(prefix), subject: subjects.allEvents(prefix) },
    logId,
    (stream) => new EventPublisher({ ...common, stream }),
    place,
  );
  const notifications =
    least === null
      ? null
      : await run(
          {
            name: 'ferrolog notifier',
            streamName: subjects.notificationStreamName(prefix),
            subject: subjects.allNotifications(prefix),
          },
          logId,
          (stream) =>
            new NotificationPublisher({ ...common, stream, least, topics, errorCharsMax: log_in_db_max_size }),
          place,
        );
  return { troubled: () => publishingTroubled({ events, notifications }) };
}

async function run(
  names: { readonly name: string; readonly streamName: string; readonly subject: string },
  logId: string,
  publisherTo: (stream: EventStream) => Publisher,
  { url, logger, stopper, onForeign }: Place,
): Promise<Publisher> {
  const stream = await JetStreamEventStream.connect({ ...names, url, logId });
  await checkStream(stream);
  const publisher = publisherTo(stream);
  publisher.start();
  publisher.ended.catch((error: unknown) => {
    const sentence = error instanceof Error ? error.message : String(error);
    logger.error({}, sentence);
    onForeign(sentence);
  });
  stopper.add(async () => {
    await publisher.stop().catch(() => undefined);
    await stream.close();
  });
  return publisher;
}

/**
 * What no patience mends stops the start: another log's stream, a broker without JetStream. Whatever else is wrong with
 * the stream is the publisher's to try again, since the stack serves without it.
 */
async function checkStream(stream: JetStreamEventStream): Promise<void> {
  try {
    await stream.cursor();
  } catch (error) {
    const isHopeless = error instanceof ForeignLogError || /runs without JetStream$/.test(String(error));
    if (!isHopeless) return;
    await stream.close();
    throw new SettingsError([(error as Error).message]);
  }
}
