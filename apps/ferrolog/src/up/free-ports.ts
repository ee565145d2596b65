import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { LoadedSettings } from '@lib/adapters/settings-file';
import { portTaken, portVariables } from '../services/port-taken';
import { pidFile } from '../services/pid-file';

type Listening = keyof typeof portVariables;

/**
 * Rejects before anything starts, with a sentence for each port that another program has. Where a service of the same home
 * left its process id, it may be one of a killed stack that is about to end: then its successor tries by itself.
 */
export async function requireFreePorts({ settings, runtime }: LoadedSettings): Promise<void> {
  const ports: Readonly<Record<Listening, number>> = {
    api: runtime.ports.api,
    'inspector-simulator': runtime.ports.inspector,
  };
  const listening = (Object.keys(ports) as Listening[]).filter(
    (name) => runtime.services.includes(name) && ports[name] > 0 && !existsSync(pidFile(runtime.home, name)),
  );
  const problems: string[] = [];
  for (const name of listening) {
    await tryToListen(settings.api.host_ip, ports[name])
      .catch(portTaken(portVariables[name]))
      .catch((error: Error) => problems.push(`${name}: ${error.message}`));
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

async function tryToListen(host: string, port: number): Promise<void> {
  const server = createServer().listen({ host, port });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
