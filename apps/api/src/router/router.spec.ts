/** Versions of endpoints that the contract's table does not name. */
import { ApiFault } from '../faults';
import { ok } from '../http';
import { Router } from './router';

const router = new Router(
  {
    'GET portgroups/{ident}/ports': () => ok({}),
    'GET portgroups/{ident}/ports/detail': () => ok({}),
    'DELETE inspection_rules': () => ok({}),
    'PATCH deploy_templates': () => ok({}),
    'GET nodes/{ident}/volume/connectors/detail': () => ok({}),
    'GET nodes/validate': () => ok({}),
  },
  { without: [], ownGate: [], checkParams: () => undefined, allowShown: () => undefined },
);

const asked = (method: string, path: string, minor: number): unknown => {
  try {
    return router.find(method, path.split('/'), minor).pattern;
  } catch (error) {
    return error instanceof ApiFault ? [error.status, error.form] : error;
  }
};

it.each([
  ['GET', 'portgroups/g/ports/detail', 24, [404, 'resource']],
  ['DELETE', 'inspection_rules', 96, [405, 'resource']],
  ['PATCH', 'deploy_templates', 55, [405, 'router']],
  ['GET', 'nodes/n/volume/connectors/detail', 32, [404, 'router']],
] as const)('%s %s begins with what it belongs to, at 1.%i', (method, path, min, below) => {
  expect(asked(method, path, min - 1)).toEqual(below);
  expect(asked(method, path, min)).toEqual(expect.any(String));
});

it('what belongs to nothing newer is there from the first version on', () => {
  expect(asked('GET', 'nodes/validate', 1)).toBe('nodes/validate');
});
