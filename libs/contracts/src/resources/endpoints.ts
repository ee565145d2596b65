/**
 * From which version each endpoint exists and how a request below it is answered.
 * contract: microversions.json endpoints (statuses), errors-and-negotiation.md §5 (which of the two forms)
 */
export type FaultForm = 'router' | 'resource';

export interface EndpointGate {
  /** `*` stands for every method. */
  readonly method: string;
  readonly path: string;
  readonly min: number;
  /** Null where the version is not enforced, or is the first. */
  readonly below: { readonly status: 404 | 405 | 406; readonly form: FaultForm } | null;
}

function gate(
  method: string,
  path: string,
  min: number,
  status: 404 | 405 | 406 | 'not enforced' = 'not enforced',
  form: FaultForm = 'resource',
): EndpointGate {
  return { method, path, min, below: status === 'not enforced' ? null : { status, form } };
}

/** The first version of an endpoint that the table names. */
export const endpointMin = (method: string, path: string): number =>
  endpointGates.find((one) => one.method === method && one.path === path)?.min ?? 1;

/** For a gate a parameter is a parameter, however the path calls it. */
const unnamed = (path: string): string => path.replace('{name}@{component}', '{}').replace(/\{\w+\}/g, '{}');

/**
 * The gate of any endpoint. One that the table does not name came with its path, whose other methods tell what is said before, or
 * with what it lies under: `portgroups/{ident}/ports/detail` is as old as `portgroups/{ident}/ports`.
 */
export function gateOf(method: string, path: string): EndpointGate | undefined {
  for (let at = unnamed(path); at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const there = endpointGates.filter((one) => unnamed(one.path) === at);
    const alike = there.find((one) => (one.method === 'GET') === (method === 'GET'));
    const found = there.find((one) => one.method === method || one.method === '*') ?? alike ?? there[0];
    if (found) return found;
  }
  return undefined;
}

export const endpointGates: readonly EndpointGate[] = [
  gate('GET', '/v1/nodes', 1),
  gate('POST', '/v1/nodes', 1),
  gate('GET', '/v1/nodes/detail', 1),
  gate('GET', '/v1/nodes/{ident}', 1),
  gate('PATCH', '/v1/nodes/{ident}', 1),
  gate('DELETE', '/v1/nodes/{ident}', 1),
  gate('GET', '/v1/nodes/{ident}/validate', 1),
  gate('PUT', '/v1/nodes/{ident}/maintenance', 1),
  gate('DELETE', '/v1/nodes/{ident}/maintenance', 1),
  gate('GET', '/v1/nodes/{ident}/states', 1),
  gate('PUT', '/v1/nodes/{ident}/states/power', 1),
  gate('PUT', '/v1/nodes/{ident}/states/provision', 1),
  gate('GET', '/v1/nodes/{ident}/states/console', 1),
  gate('PUT', '/v1/nodes/{ident}/states/console', 1),
  gate('GET', '/v1/nodes/{ident}/management/boot_device', 1),
  gate('PUT', '/v1/nodes/{ident}/management/boot_device', 1),
  gate('GET', '/v1/nodes/{ident}/management/boot_device/supported', 1),
  gate('GET', '/v1/nodes/{ident}/ports', 1),
  gate('GET', '/v1/nodes/{ident}/vendor_passthru/methods', 1),
  gate('*', '/v1/nodes/{ident}/vendor_passthru/{method}', 1),
  gate('GET', '/v1/ports', 1),
  gate('POST', '/v1/ports', 1),
  gate('GET', '/v1/ports/detail', 1),
  gate('GET', '/v1/ports/{ident}', 1),
  gate('PATCH', '/v1/ports/{ident}', 1),
  gate('DELETE', '/v1/ports/{ident}', 1),
  gate('GET', '/v1/chassis', 1),
  gate('POST', '/v1/chassis', 1),
  gate('GET', '/v1/chassis/detail', 1),
  gate('GET', '/v1/chassis/{uuid}', 1),
  gate('PATCH', '/v1/chassis/{uuid}', 1),
  gate('DELETE', '/v1/chassis/{uuid}', 1),
  gate('GET', '/v1/chassis/{uuid}/nodes', 1),
  gate('GET', '/v1/drivers', 1),
  gate('GET', '/v1/drivers/{name}', 1),
  gate('GET', '/v1/drivers/{name}/properties', 1),
  gate('GET', '/v1/drivers/{name}/vendor_passthru/methods', 1),
  gate('*', '/v1/drivers/{name}/vendor_passthru/{method}', 1),
  gate('PUT', '/v1/nodes/{ident}/states/raid', 12, 406, 'resource'),
  gate('GET', '/v1/drivers/{name}/raid/logical_disk_properties', 12, 406, 'resource'),
  gate('GET', '/v1/lookup', 22, 404, 'resource'),
  gate('POST', '/v1/heartbeat/{ident}', 22, 404, 'resource'),
  gate('GET', '/v1/portgroups', 23, 404, 'resource'),
  gate('POST', '/v1/portgroups', 23, 404, 'resource'),
  gate('GET', '/v1/portgroups/detail', 23, 404, 'resource'),
  gate('GET', '/v1/portgroups/{ident}', 23, 404, 'resource'),
  gate('PATCH', '/v1/portgroups/{ident}', 23, 404, 'resource'),
  gate('DELETE', '/v1/portgroups/{ident}', 23, 404, 'resource'),
  gate('GET', '/v1/portgroups/{ident}/ports', 24, 404, 'resource'),
  gate('GET', '/v1/nodes/{ident}/portgroups', 24, 404, 'router'),
  gate('GET', '/v1/nodes/{ident}/vifs', 28, 404, 'router'),
  gate('POST', '/v1/nodes/{ident}/vifs', 28, 404, 'router'),
  gate('DELETE', '/v1/nodes/{ident}/vifs/{vif}', 28, 404, 'router'),
  gate('PUT', '/v1/nodes/{ident}/management/inject_nmi', 29, 404, 'resource'),
  gate('GET', '/v1/volume', 32, 404, 'resource'),
  gate('GET', '/v1/nodes/{ident}/volume', 32, 404, 'resource'),
  gate('GET', '/v1/volume/connectors', 32, 404, 'router'),
  gate('POST', '/v1/volume/connectors', 32, 404, 'router'),
  gate('GET', '/v1/volume/connectors/{uuid}', 32, 404, 'router'),
  gate('PATCH', '/v1/volume/connectors/{uuid}', 32, 404, 'router'),
  gate('DELETE', '/v1/volume/connectors/{uuid}', 32, 404, 'router'),
  gate('GET', '/v1/volume/targets', 32, 404, 'router'),
  gate('POST', '/v1/volume/targets', 32, 404, 'router'),
  gate('GET', '/v1/volume/targets/{uuid}', 32, 404, 'router'),
  gate('PATCH', '/v1/volume/targets/{uuid}', 32, 404, 'router'),
  gate('DELETE', '/v1/volume/targets/{uuid}', 32, 404, 'router'),
  gate('GET', '/v1/nodes/{ident}/volume/connectors', 32, 404, 'router'),
  gate('GET', '/v1/nodes/{ident}/volume/targets', 32, 404, 'router'),
  gate('GET', '/v1/nodes/{ident}/traits', 37, 406, 'resource'),
  gate('PUT', '/v1/nodes/{ident}/traits', 37, 405, 'resource'),
  gate('DELETE', '/v1/nodes/{ident}/traits', 37, 404, 'resource'),
  gate('PUT', '/v1/nodes/{ident}/traits/{trait}', 37, 405, 'resource'),
  gate('DELETE', '/v1/nodes/{ident}/traits/{trait}', 37, 404, 'resource'),
  gate('GET', '/v1/nodes/{ident}/bios', 40, 404, 'router'),
  gate('GET', '/v1/nodes/{ident}/bios/{name}', 40, 404, 'router'),
  gate('GET', '/v1/conductors', 49, 404, 'resource'),
  gate('GET', '/v1/conductors/{hostname}', 49, 404, 'resource'),
  gate('GET', '/v1/allocations', 52, 404, 'resource'),
  gate('POST', '/v1/allocations', 52, 405, 'resource'),
  gate('GET', '/v1/allocations/{ident}', 52, 404, 'resource'),
  gate('DELETE', '/v1/allocations/{ident}', 52, 405, 'resource'),
  gate('PATCH', '/v1/allocations/{ident}', 57, 405, 'resource'),
  gate('GET', '/v1/nodes/{ident}/allocation', 52, 404, 'router'),
  gate('DELETE', '/v1/nodes/{ident}/allocation', 52, 404, 'router'),
  gate('POST', '/v1/events', 54, 404, 'resource'),
  gate('GET', '/v1/deploy_templates', 55, 404, 'router'),
  gate('POST', '/v1/deploy_templates', 55, 405, 'router'),
  gate('GET', '/v1/deploy_templates/{ident}', 55, 404, 'router'),
  gate('PATCH', '/v1/deploy_templates/{ident}', 55, 405, 'router'),
  gate('DELETE', '/v1/deploy_templates/{ident}', 55, 405, 'router'),
  gate('GET', '/v1/nodes/{ident}/management/indicators', 63, 'not enforced'),
  gate('GET', '/v1/nodes/{ident}/management/indicators/{name}@{component}', 63, 'not enforced'),
  gate('PUT', '/v1/nodes/{ident}/management/indicators/{name}@{component}', 63, 'not enforced'),
  gate('PUT', '/v1/nodes/{ident}/states/boot_mode', 76, 404, 'resource'),
  gate('PUT', '/v1/nodes/{ident}/states/secure_boot', 76, 404, 'resource'),
  gate('GET', '/v1/nodes/{ident}/history', 78, 404, 'router'),
  gate('GET', '/v1/nodes/{ident}/history/{uuid}', 78, 404, 'router'),
  gate('GET', '/v1/nodes/{ident}/inventory', 81, 404, 'router'),
  gate('GET', '/v1/shards', 82, 404, 'resource'),
  gate('GET', '/v1/nodes/{ident}/children', 83, 404, 'resource'),
  gate('POST', '/v1/continue_inspection', 84, 404, 'resource'),
  gate('GET', '/v1/nodes/{ident}/firmware', 86, 404, 'router'),
  gate('POST', '/v1/nodes/{ident}/vmedia', 89, 404, 'resource'),
  gate('DELETE', '/v1/nodes/{ident}/vmedia', 89, 404, 'resource'),
  gate('GET', '/v1/nodes/{ident}/vmedia', 93, 404, 'resource'),
  gate('GET', '/v1/runbooks', 92, 404, 'router'),
  gate('POST', '/v1/runbooks', 92, 405, 'router'),
  gate('GET', '/v1/runbooks/{ident}', 92, 404, 'router'),
  gate('PATCH', '/v1/runbooks/{ident}', 92, 405, 'router'),
  gate('DELETE', '/v1/runbooks/{ident}', 92, 405, 'router'),
  gate('GET', '/v1/runbooks/{ident}/traits', 112, 404, 'router'),
  gate('PUT', '/v1/runbooks/{ident}/traits', 112, 404, 'router'),
  gate('DELETE', '/v1/runbooks/{ident}/traits', 112, 404, 'router'),
  gate('PUT', '/v1/runbooks/{ident}/traits/{trait}', 112, 404, 'router'),
  gate('DELETE', '/v1/runbooks/{ident}/traits/{trait}', 112, 404, 'router'),
  gate('GET', '/v1/inspection_rules', 96, 404, 'resource'),
  gate('POST', '/v1/inspection_rules', 96, 405, 'resource'),
  gate('GET', '/v1/inspection_rules/{uuid}', 96, 404, 'resource'),
  gate('PATCH', '/v1/inspection_rules/{uuid}', 96, 405, 'resource'),
  gate('DELETE', '/v1/inspection_rules/{uuid}', 96, 405, 'resource'),
];
