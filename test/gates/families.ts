/**
 * Families that came as a whole: below their version every method is answered in one way, also one that they do not have.
 * contract: microversions.json (the texts of 23, 32, 52, 55, 92, 96); errors-and-negotiation.md §5-6
 */

import { pathOf } from './paths';
import { verdict, type Probe } from './probe';

interface Family {
  readonly path: string;
  readonly member: string;
  readonly gate: number;
  readonly form: 'router' | 'resource';
  /** Of methods other than GET. */
  readonly below: 404 | 405;
}

const families: readonly Family[] = [
  { path: '/v1/portgroups', member: 'ident', gate: 23, form: 'resource', below: 404 },
  { path: '/v1/volume/connectors', member: 'uuid', gate: 32, form: 'router', below: 404 },
  { path: '/v1/volume/targets', member: 'uuid', gate: 32, form: 'router', below: 404 },
  { path: '/v1/allocations', member: 'ident', gate: 52, form: 'resource', below: 405 },
  { path: '/v1/deploy_templates', member: 'ident', gate: 55, form: 'router', below: 405 },
  { path: '/v1/runbooks', member: 'ident', gate: 92, form: 'router', below: 405 },
  { path: '/v1/inspection_rules', member: 'uuid', gate: 96, form: 'resource', below: 405 },
];

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const probesOf = ({ path, member, gate, form, below }: Family): Probe[] =>
  [path, `${path}/{${member}}`].flatMap((pattern) =>
    METHODS.map((method) => ({
      name: `${method} ${pattern}`,
      gate,
      below: method === 'GET' ? `404 ${form}` : `${below} ${form}`,
      from: 'another answer',
      ask: async (bed, things, minor) => {
        // What is asked is in the wrong shape, so that nothing is made and nothing goes.
        const asked = `${pathOf(pattern, things)}${method === 'GET' ? '' : '?none_such=1'}`;
        const found = verdict(await bed.ask(method, asked, minor, method === 'GET' ? undefined : {}), gate);
        if (minor < gate) return found;
        return /^(?:200|4\d\d)/.test(found) ? 'another answer' : found;
      },
    })),
  );

/** Lists in detail below something else are as old as the list. */
const details = (
  [
    ['/v1/nodes/{ident}/portgroups/detail', 24, '404 router'],
    ['/v1/portgroups/{ident}/ports/detail', 24, '404 resource'],
  ] as const
).map(([pattern, gate, below]): Probe => ({
  name: `GET ${pattern}`,
  gate,
  below,
  from: '200',
  ask: async (bed, things, minor) => verdict(await bed.ask('GET', pathOf(pattern, things), minor), gate),
}));

export const familyProbes: readonly Probe[] = [...families.flatMap(probesOf), ...details];
