import type { Command } from '@lib/contracts';
import { isObject, type JsonObject, objectAt } from '@lib/domain/introspection';
import type { ReadModel } from '@lib/ports';
import { type BareMetalApi, BareMetalApiError, type NodeDocument } from '@lib/usecases/simulated-inspector';
import type { Fate } from './fate';
import type { Answer } from './sender';

interface ApiParts {
  readonly readModel: Pick<ReadModel, 'get' | 'list' | 'owners'>;
  readonly send: (command: Command) => Promise<Answer>;
  readonly fate: Fate;
}

const refused: Readonly<Record<string, number>> = {
  NODE_LOCKED: 409,
  DUPLICATE_MAC: 409,
  NODE_NOT_FOUND: 404,
  RESOURCE_NOT_FOUND: 404,
  UNAVAILABLE: 503,
  NO_FREE_WORKER: 503,
};

/** The Bare Metal API as the simulated inspector needs it: commands over the bus, questions from the read model. */
export function bareMetalApi({ readModel, send, fate }: ApiParts): BareMetalApi {
  const order = async (command: Command): Promise<void> => {
    const answer = await send(command);
    if (answer === null) throw new BareMetalApiError(503, 'no conductor answered');
    if (!answer.ok) throw new BareMetalApiError(refused[answer.code] ?? 400, answer.message);
  };
  const node = async (uuid: string): Promise<NodeDocument | null> => {
    const [stored] = await readModel.get('node', [uuid]);
    return stored ? shown(JSON.parse(stored.json) as JsonObject) : null;
  };
  return {
    node,
    powerProblem: async (uuid) => ((await node(uuid)) ? null : 'the node is gone'),
    async ports(uuid) {
      const where = [{ column: 'node_uuid', is: 'equal', value: uuid } as const];
      const found = await readModel.list({
        kind: 'port',
        where,
        sort: { column: 'seq', descending: false },
        limit: 100,
      });
      return (found ?? []).map(({ json }) => {
        const port = JSON.parse(json) as JsonObject;
        return {
          uuid: String(port['uuid']),
          address: String(port['address']),
          pxeEnabled: port['pxe_enabled'] === true,
        };
      });
    },
    setBootDevice: (uuid, device, persistent) => order({ type: 'SetBootDevice', uuid, device, persistent }),
    setPower: (uuid, target) => order({ type: 'ChangePower', uuid, target, timeoutSeconds: null }),
    patchNode: (uuid, patch, resetInterfaces) =>
      order({ type: 'PatchNode', uuid, patch: [...patch], minor: 82, resetInterfaces }),
    async createPort({ nodeUuid, address, pxeEnabled }) {
      const fields = { address, pxe_enabled: pxeEnabled };
      try {
        await order({ type: 'CreateResource', kind: 'port', minor: 82, uuid: fate.uuid(), nodeUuid, fields });
        return true;
      } catch (error) {
        const taken = (await readModel.owners('port.address', [address])).size > 0;
        if (taken) return false;
        throw error;
      }
    },
    patchPort: async (uuid, patch) =>
      order({
        type: 'PatchResource',
        kind: 'port',
        uuid,
        nodeUuid: await ownerOf(uuid, readModel),
        patch: [...patch],
        minor: 82,
      }),
    removePort: async (uuid) =>
      order({ type: 'RemoveResource', kind: 'port', uuid, nodeUuid: await ownerOf(uuid, readModel) }),
    addTrait: () => Promise.reject(new BareMetalApiError(404, 'traits are not served')),
    removeTrait: () => Promise.resolve(),
    async nodeUuids() {
      const all = await readModel.list({
        kind: 'node',
        where: [],
        sort: { column: 'seq', descending: false },
        limit: 1000,
      });
      return new Set((all ?? []).map(({ id }) => id));
    },
  };
}

async function ownerOf(uuid: string, readModel: Pick<ReadModel, 'get'>): Promise<string> {
  const [port] = await readModel.get('port', [uuid]);
  const document: unknown = port ? JSON.parse(port.json) : null;
  if (!isObject(document)) throw new BareMetalApiError(404, `Port ${uuid} could not be found.`);
  return String(document['node_uuid']);
}

const shown = (document: JsonObject): NodeDocument => ({
  uuid: String(document['uuid']),
  name: typeof document['name'] === 'string' ? document['name'] : null,
  provisionState: String(document['provision_state']),
  driverInfo: objectAt(document, 'driver_info'),
  properties: objectAt(document, 'properties'),
  extra: objectAt(document, 'extra'),
  disablePowerOff: document['disable_power_off'] === true,
  document,
});
