import { decideResource, evolveResource, portKind } from '@lib/domain';
import type { PortDocument, Resource, ResourceCommand, ResourceEvent } from '@lib/domain';
import type { Change, EventReader, ReadModel, StoredDocument, StreamWrite } from '@lib/ports';
import { newEvent } from '../node-commits';
import { portStreamId } from '../node-streams';
import { projectPort } from '../project-port';
import type { StoredPort } from '../project-port';

/** A port as its stream has it; the version is that of its last event. */
export interface LoadedPort {
  readonly version: number;
  readonly resource: Resource;
}

const EVENTS_PAGE = 1000;
const PORTS_PAGE = 500;

export async function loadPort(uuid: string, reader: Pick<EventReader, 'readStream'>): Promise<LoadedPort> {
  let loaded: LoadedPort = { version: 0, resource: null };
  for (;;) {
    const page = await reader.readStream(portStreamId(uuid), loaded.version, EVENTS_PAGE);
    for (const { type, data, version } of page) {
      const event = { type, data: JSON.parse(data) } as ResourceEvent;
      loaded = { version, resource: evolveResource(loaded.resource, event) };
    }
    if (page.length < EVENTS_PAGE) return loaded;
  }
}

/** All ports of a node, as the read model has them. */
export async function portsOf(nodeUuid: string, readModel: ReadModel): Promise<StoredDocument[]> {
  const ports: StoredDocument[] = [];
  for (;;) {
    const page: StoredDocument[] =
      (await readModel.list({
        kind: 'port',
        where: [{ column: 'node_uuid', is: 'equal', value: nodeUuid }],
        sort: { column: 'seq', descending: false },
        limit: PORTS_PAGE,
        after: ports.at(-1)?.id,
      })) ?? [];
    ports.push(...page);
    if (page.length < PORTS_PAGE) return ports;
  }
}

const stored = (resource: Resource): StoredPort | null =>
  resource && { ...resource, document: resource.document as PortDocument };

/** What a command writes to a port's stream, and what derives from it. */
export function portWrite(
  uuid: string,
  port: LoadedPort,
  command: ResourceCommand,
  at: number,
): { readonly write: StreamWrite; readonly changes: readonly Change[] } {
  const events = decideResource(portKind, command, port.resource, at);
  const after = events.reduce(evolveResource, port.resource);
  return {
    write: {
      stream: portStreamId(uuid),
      expected: port.version,
      events: events.map(newEvent),
      removes: after === null,
    },
    changes: projectPort(stored(port.resource), stored(after), port.version + events.length),
  };
}
