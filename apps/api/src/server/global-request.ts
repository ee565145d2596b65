import type { IncomingHttpHeaders } from 'node:http';
import type { Services } from '../http';

const GLOBAL_ID = /^req-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The id that a request has at the service which it comes from, as `X-OpenStack-Request-ID: req-<uuid>` says it; undefined without one,
 * and for whatever has another form. It is noted, never echoed. contract: errors-and-negotiation.md §1
 */
export function globalRequestIdOf({ 'x-openstack-request-id': value }: IncomingHttpHeaders): string | undefined {
  return typeof value === 'string' && GLOBAL_ID.test(value) ? value : undefined;
}

/** The same services, whose commands tell that id. */
export function underGlobalRequest(services: Services, globalRequestId: string | undefined): Services {
  if (globalRequestId === undefined) return services;
  const commands: Services['commands'] = {
    send: (command, requestId, along) => services.commands.send(command, requestId, { ...along, globalRequestId }),
  };
  return { ...services, commands };
}
