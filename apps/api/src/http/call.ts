import type { Settings } from '@lib/contracts/settings';
import type { Chance, Clock, EventReader, Logger, MessageBus, ReadModel, TransportBox } from '@lib/ports';
import type { ConductorBoard } from '../conductors/board';
import type { Commands } from '../commands';
import type { QueryArguments } from './query';

/** What every handler may use. */
export interface Services {
  readonly settings: Settings;
  readonly bus: MessageBus;
  /** First word of every subject. */
  readonly prefix: string;
  readonly readModel: ReadModel;
  readonly reader: EventReader;
  readonly conductors: ConductorBoard;
  readonly commands: Commands;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly transport: TransportBox;
  readonly logger: Logger;
}

/** One request, past negotiation and routing. */
export interface Call {
  readonly method: string;
  /** Parameters of the path, decoded, as the client wrote them. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryArguments;
  /** The agreed minor version. */
  readonly minor: number;
  /** A `.json` was cut off the path: an identifier that is not found is tried with it. */
  readonly jsonCut: boolean;
  readonly requestId: string;
  /** Who asks; null without authentication. */
  readonly requester: string | null;
  /** Why the requester wants it, as the header `X-Ferrolog-Reason` says; absent without. */
  readonly reason?: string;
  readonly publicUrl: string;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
  readonly services: Services;
}
