import { findProgram } from './programs.mjs';
import { installCommand, installSystemPackages, mayInstall } from './system-packages.mjs';

const machine = { findProgram, installCommand, installSystemPackages, mayInstall };

/**
 * Where the broker comes from: NATS_URL, else nats-server on the PATH, else the system's package manager where we may
 * use it. Returns { url } or { program }, else { missing: one sentence with the command to type }.
 */
export async function findBroker(env = process.env, system = machine) {
  if (env.NATS_URL) return { url: env.NATS_URL };
  const here = system.findProgram('nats-server', env);
  if (here) return { program: here };
  if (system.mayInstall(env) && (await system.installSystemPackages(['nats-server'], env))) {
    const installed = system.findProgram('nats-server', env);
    if (installed) return { program: installed };
  }
  const command = system.installCommand(['nats-server'], env);
  const how = command ? `install one with: ${command}` : 'install nats-server from https://nats.io/download';
  return { missing: `There is no NATS broker: set NATS_URL to a running one, or ${how}` };
}
