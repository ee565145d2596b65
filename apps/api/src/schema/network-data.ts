/** A network_data document of OpenStack, as far as a node needs it. contract: node-api.md §1, §6 */
import Ajv from 'ajv';
import { badRequest } from '../faults';

const objects = { type: 'array', items: { type: 'object' } } as const;

const validate = new Ajv({ allErrors: false }).compile({
  type: 'object',
  required: ['links'],
  properties: {
    links: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'type'],
        properties: { id: { type: 'string' }, type: { type: 'string' } },
      },
    },
    networks: { type: 'array', items: { type: 'object', required: ['id', 'link', 'type'] } },
    services: objects,
  },
});

export function checkNetworkData(value: unknown): void {
  if (validate(value)) return;
  const [error] = validate.errors ?? [];
  throw badRequest(`Schema error for network_data: ${error?.instancePath ?? ''} ${error?.message ?? 'is invalid'}.`);
}
