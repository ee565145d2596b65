/**
 * A conductor that follows a script: enough of one to drive the api over the real ports, none of its rules.
 * It stores documents as the contract between conductor and api says (libs/contracts/src/resources).
 */
import { transportBox } from '@lib/adapters/secret-box';
import { systemChance } from '@lib/adapters/system-clock';
import { openCommand } from '@lib/usecases/sealed-commands';
import { randomUUID } from 'node:crypto';
import type { MemoryLog } from '@lib/adapters/event-log-memory';
import {
  columnsOf,
  CONDUCTOR_QUEUE,
  decode,
  encode,
  subjects,
  type Command,
  type CommandEnvelope,
  type DocumentKindName,
  type Reply,
} from '@lib/contracts';
import { hardwareTypes, interfaceTypes } from '@lib/domain';
import type { Change, MessageBus } from '@lib/ports';
import { applyPatch, type Operation } from 'fast-json-patch';

export type Document = Record<string, unknown>;
type Answering = (command: Command) => Reply | undefined | Promise<Reply | undefined>;

const accepted: Reply = { ok: true, result: {} };

/** What opens the commands that the api sealed for the bus. */
export const TRANSPORT = transportBox(systemChance.bytes(32), systemChance);

export class ConductorScript {
  readonly received: CommandEnvelope[] = [];
  /** Looks at each command first; what it leaves undefined is carried out. */
  answer: Answering = () => undefined;

  constructor(
    private readonly store: MemoryLog,
    private readonly now: () => number,
  ) {}

  async serve(bus: MessageBus, prefix: string): Promise<void> {
    const handle = async ({ body }: { body: Uint8Array }): Promise<Uint8Array> => {
      const sealed = decode<CommandEnvelope>(body);
      const envelope = { ...sealed, command: openCommand(sealed.command, TRANSPORT) };
      this.received.push(envelope);
      return encode((await this.answer(envelope.command)) ?? (await this.carryOut(envelope.command)));
    };
    await bus.serve(subjects.allCommands(prefix), CONDUCTOR_QUEUE, handle, (error) => {
      throw error;
    });
  }

  private async carryOut(command: Command): Promise<Reply> {
    switch (command.type) {
      case 'CreateNode':
        await this.put('node', this.newNode(command.uuid, command.fields, command.initialState));
        return accepted;
      case 'CreateResource':
        await this.put(command.kind, {
          ...command.fields,
          uuid: command.uuid,
          ...(command.nodeUuid === null ? {} : { node_uuid: command.nodeUuid }),
          ...(command.kind === 'port' ? { address: String(command.fields['address']).toLowerCase() } : {}),
          created_at: this.time(),
          updated_at: null,
        });
        return accepted;
      case 'PatchNode':
        return this.patch('node', command.uuid, command.patch as Operation[]);
      case 'PatchResource':
        return this.patch(command.kind, command.uuid, command.patch as Operation[]);
      case 'RemoveNode':
        await this.change([{ change: 'remove', kind: 'node', id: command.uuid }]);
        return accepted;
      case 'RemoveResource':
        await this.change([{ change: 'remove', kind: command.kind, id: command.uuid }]);
        return accepted;
      case 'SetMaintenance':
        return this.set(command.uuid, { maintenance: true, maintenance_reason: command.reason });
      case 'ClearMaintenance':
        return this.set(command.uuid, { maintenance: false, maintenance_reason: null });
      default:
        return accepted;
    }
  }

  async put(kind: DocumentKindName, document: Document, id = String(document['uuid'])): Promise<void> {
    const json = JSON.stringify(document);
    await this.change([{ change: 'put', kind, id, version: 1, json, columns: columnsOf(kind, document) }]);
  }

  async set(uuid: string, changed: Document, kind: DocumentKindName = 'node'): Promise<Reply> {
    await this.put(kind, { ...(await this.read(kind, uuid)), ...changed });
    return accepted;
  }

  private async patch(kind: DocumentKindName, uuid: string, patch: Operation[]): Promise<Reply> {
    try {
      const document = applyPatch(await this.read(kind, uuid), patch, true).newDocument;
      await this.put(kind, { ...document, updated_at: this.time() });
      return accepted;
    } catch (error) {
      return { ok: false, code: 'INVALID_PATCH', message: `Couldn't apply patch. Reason: ${String(error)}` };
    }
  }

  private async read(kind: DocumentKindName, uuid: string): Promise<Document> {
    const [stored] = await this.store.readModel.get(kind, [uuid]);
    return JSON.parse(stored?.json ?? '{}') as Document;
  }

  /** An event without meaning carries the changes. */
  async change(changes: readonly Change[], blobs: readonly { hash: string; bytes: Uint8Array }[] = []): Promise<void> {
    const meta = {
      commandId: randomUUID(),
      requestId: null,
      actor: null,
      source: 'script',
      at: this.now(),
      causation: null,
    };
    const events = [{ type: 'NodeChanged', schema: 1, data: { secret_key: 'hidden?', password: 'plain' } }];
    const writes = [{ stream: `node/${randomUUID()}`, expected: 'any' as const, events }];
    const result = await this.store.log.append({ writes, meta, changes, blobs });
    if (!result.ok) throw new Error(JSON.stringify(result.conflict));
  }

  private newNode(uuid: string, fields: Document, state: string): Document {
    const supports = hardwareTypes.get(String(fields['driver']))?.supports;
    const interfaces = Object.fromEntries(interfaceTypes.map((type) => [`${type}_interface`, supports?.[type][0]]));
    return {
      conductor_group: '',
      maintenance: false,
      ...interfaces,
      ...fields,
      uuid,
      provision_state: state,
      created_at: this.time(),
      updated_at: null,
    };
  }

  private time(): string {
    return new Date(this.now()).toISOString().replace('Z', '000+00:00');
  }
}
