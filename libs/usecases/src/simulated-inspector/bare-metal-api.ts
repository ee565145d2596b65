import type { JsonObject } from '@lib/domain/introspection';

/** A node as the Bare Metal API shows it, with the fields that the inspector reads taken out. */
export interface NodeDocument {
  readonly uuid: string;
  readonly name: string | null;
  readonly provisionState: string;
  readonly driverInfo: JsonObject;
  readonly properties: JsonObject;
  readonly extra: JsonObject;
  readonly disablePowerOff: boolean;
  /** The whole document, for rules that look at `node://` fields. */
  readonly document: JsonObject;
}

export interface PortDocument {
  readonly uuid: string;
  readonly address: string;
  readonly pxeEnabled: boolean;
}

export interface NewPort {
  readonly nodeUuid: string;
  readonly address: string;
  readonly pxeEnabled: boolean;
  readonly clientId: string | null;
}

export interface JsonPatchStep {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

/** What the inspector asks of the Bare Metal API (contract: inspector-api.md §3). Every call may reject with BareMetalApiError. */
export interface BareMetalApi {
  /** By UUID or name; null when the API does not know it. */
  node(ident: string): Promise<NodeDocument | null>;
  /** Why the power interface does not validate; null when it does. */
  powerProblem(uuid: string): Promise<string | null>;
  ports(uuid: string): Promise<PortDocument[]>;
  setBootDevice(uuid: string, device: 'pxe', persistent: boolean): Promise<void>;
  setPower(uuid: string, target: 'rebooting' | 'power off'): Promise<void>;
  patchNode(uuid: string, patch: readonly JsonPatchStep[], resetInterfaces: boolean): Promise<void>;
  /** False when the address is taken, by whomever. */
  createPort(port: NewPort): Promise<boolean>;
  patchPort(uuid: string, patch: readonly JsonPatchStep[]): Promise<void>;
  removePort(uuid: string): Promise<void>;
  addTrait(uuid: string, name: string): Promise<void>;
  removeTrait(uuid: string, name: string): Promise<void>;
  /** UUIDs of all nodes. */
  nodeUuids(): Promise<ReadonlySet<string>>;
}

/** What the inspector asks besides where data may come of machines that nobody has started. */
export interface NodeDiscovery {
  /** UUID of the node that has a port with this address; null: none. */
  ownerOfPort(address: string): Promise<string | null>;
  enroll(node: { readonly driver: string; readonly driverInfo: JsonObject }): Promise<NodeDocument>;
}

export class BareMetalApiError extends Error {
  constructor(
    /** HTTP status, null when there was no answer. */
    readonly status: number | null,
    message: string,
  ) {
    super(message);
    this.name = 'BareMetalApiError';
  }

  /** A locked node, a server in trouble or no answer may pass; any other refusal will be the same in a second. */
  get mayPass(): boolean {
    return this.status === null || this.status === 409 || this.status >= 500;
  }
}
