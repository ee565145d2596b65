/** POST /v1/events: checked and written to the log, nothing more. contract: other-resources.md §15 */
import Ajv from 'ajv';
import { badRequest } from '../faults';
import { empty, objectBody, type Answer, type Call } from '../http';

const uuid = { type: 'string', pattern: '^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$' };

const validate = new Ajv({ allowUnionTypes: true }).compile({
  type: 'object',
  required: ['events'],
  additionalProperties: false,
  properties: {
    events: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['event', 'port_id', 'mac_address', 'status'],
        additionalProperties: false,
        properties: {
          event: { enum: ['network.bind_port', 'network.unbind_port', 'network.delete_port'] },
          port_id: uuid,
          mac_address: { type: 'string', pattern: '^[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}$' },
          status: { type: 'string' },
          device_id: { type: 'string' },
          'binding:host_id': { anyOf: [uuid, { type: 'null' }] },
          'binding:vnic_type': { type: 'string' },
        },
      },
    },
  },
});

export function takeNetworkEvents(call: Call): Answer {
  call.query.only([]);
  const body = objectBody(call);
  if (!validate(body)) {
    const [error] = validate.errors ?? [];
    throw badRequest(`Schema error for events${error?.instancePath ?? ''}: ${error?.message ?? 'invalid'}.`);
  }
  for (const event of body['events'] as readonly Record<string, unknown>[]) {
    const { event: kind, port_id: port, status } = event;
    call.services.logger.info({ requestId: call.requestId, kind, port, status }, 'network event');
  }
  return empty(204);
}
