/** docker-compose.yml starts every service there is, and asks each whether it is ready. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '@lib/contracts';
import { repositoryRoot } from './repository-root';

const compose = readFileSync(join(repositoryRoot, 'docker-compose.yml'), 'utf8');

/** A service's own lines, from its name to the next one. */
function blockOf(name: string): string {
  const services = compose.slice(compose.indexOf('\nservices:\n'));
  return new RegExp(`^  ${name}:\\n((?:    .*\\n|\\n)*)`, 'm').exec(services)?.[1] ?? '';
}

test.each(serviceNames)('%s runs in a container of its own that is asked whether it is ready', (name) => {
  const block = blockOf(name);
  expect(block).toContain(`command: ['service', '${name}']`);
  expect(block).toContain(`READY: ${name}\n`);
  expect(block).toContain('healthcheck: *ready');
});

test.each(['nats', 'postgres'])('%s has a health check, and the services wait for it', (name) => {
  expect(blockOf(name)).toContain('healthcheck:');
  expect(compose.slice(0, compose.indexOf('\nservices:\n'))).toMatch(
    new RegExp(`^    ${name}:\\n      condition: service_healthy$`, 'm'),
  );
});

test('only the port of the API is published, on the loopback address', () => {
  expect(compose.match(/^ +- '[^']*:\d+:\d+'$/gm)).toEqual(["      - '127.0.0.1:6385:6385'"]);
});
