/** The contract's endpoints as paths that lead somewhere. */
import { endpoints } from './endpoints';
import type { Things } from './things';

const MISSING = '11111111-2222-4333-8444-555555555555';

/** What a part in braces stands for below each collection; what is not here leads nowhere. */
function idents(things: Things): Readonly<Record<string, string>> {
  return {
    nodes: things.node,
    ports: things.port,
    chassis: things.chassis,
    drivers: 'fake-hardware',
    heartbeat: things.node,
    portgroups: things.portgroup,
    'volume/connectors': things.connector,
    'volume/targets': things.target,
    conductors: things.conductor,
    allocations: things.allocation,
    deploy_templates: things.template,
    runbooks: things.runbook,
    inspection_rules: things.rule,
  };
}

/** The first part in braces is a thing of the collection before it, a further one nothing that exists. */
export function pathOf(pattern: string, things: Things): string {
  const collection = /^\/v1\/([a-z_/]+?)\/\{/.exec(pattern)?.[1] ?? '';
  const ident = idents(things)[collection] ?? MISSING;
  return pattern
    .replace(/\{\w+\}/, ident)
    .replace(/\{\w+\}@\{\w+\}/, 'none@such')
    .replace(/\{\w+\}/g, 'none-such');
}

export interface Place {
  readonly pattern: string;
  readonly methods: readonly string[];
  /** From which version all of its methods are there. */
  readonly min: number;
}

const ALL = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'];

/** Each path once, with the methods that the contract has for it. */
export const places: readonly Place[] = [...new Set(endpoints.map(({ path }) => path))].map((pattern) => {
  const here = endpoints.filter(({ path }) => path === pattern);
  const any = here.some(({ key }) => key.startsWith('*'));
  return {
    pattern,
    methods: any ? ALL : here.map(({ method }) => method),
    min: Math.max(...here.map(({ min }) => min)),
  };
});
