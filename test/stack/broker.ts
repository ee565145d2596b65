import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Child } from './child';
import { Guard } from './guard';
import { Hopeless, until } from './until';

export interface Broker {
  readonly url: string;
  stop(): Promise<void>;
}

const clientUrl = (folder: string): string | undefined => {
  const name = existsSync(folder) ? readdirSync(folder).find((file) => file.endsWith('.ports')) : undefined;
  if (name === undefined) return undefined;
  const { nats } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { nats: string[] };
  return nats[0];
};

/** Starts a nats-server with JetStream on a port that it picks itself, its storage in a temporary folder. */
export const startBroker = async (): Promise<Broker> => {
  const home = mkdtempSync(join(tmpdir(), 'ferrolog-broker-'));
  const ports = join(home, 'ports');
  mkdirSync(ports);
  const guard = new Guard(home);
  const args = ['-a', '127.0.0.1', '-p', '-1', '-js', '-sd', join(home, 'data'), '--ports_file_dir', ports];
  const server = new Child({ name: 'nats-server', command: 'nats-server', args, env: process.env, cwd: home });
  guard.watch(server.pid);
  const stop = async (): Promise<void> => {
    await server.stop(5_000);
    await guard.fire();
  };
  try {
    const url = await until('nats-server', () => {
      if (!server.running) throw new Hopeless(`nats-server ended:\n${server.log()}`);
      return clientUrl(ports);
    });
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
