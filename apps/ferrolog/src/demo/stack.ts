import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brokerProgram } from '../up/broker';
import type { RunningStack } from '../up/running-stack';
import { up } from '../up/up';
import { removeTraces } from './broker-traces';

export interface DemoStack {
  readonly apiUrl: string;
  readonly inspectorUrl: string;
  readonly natsUrl: string | null;
  readonly single: boolean;
  /** State folder, under the system's folder for temporary files. */
  readonly home: string;
  /** Where the services' logs are. */
  readonly logFolder: string;
  /** Stops everything; with `keepFiles` the state folder stays, to be looked at. */
  stop(keepFiles: boolean): Promise<void>;
}

export interface DemoStackOptions {
  readonly single: boolean;
  readonly entry: string;
  readonly say: (line: string) => void;
}

/**
 * A stack of the demo's own: free ports, an empty home, and none of the settings of the user's stack. The broker is
 * NATS_URL, under a prefix of its own, else a nats-server that is started with it, else none: all in one process.
 */
export async function startDemoStack({ single, entry, say }: DemoStackOptions): Promise<DemoStack> {
  const home = mkdtempSync(join(tmpdir(), 'ferrolog-demo-'));
  const logFolder = join(home, 'logs');
  mkdirSync(logFolder);
  warnInto(join(logFolder, 'warnings.log'));
  const prefix = `demo-${randomBytes(4).toString('hex')}`;
  const natsUrl = process.env['NATS_URL']?.trim();
  const alone = single || (!natsUrl && brokerProgram(process.env) === null);
  const files = (keep: boolean): void => {
    if (!keep) rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const stack = await up({ single: alone, entry, env: environment(process.env, home, prefix), say, logFolder });
    const { apiUrl, inspectorUrl } = addressesOf(stack);
    const stop = async (keepFiles: boolean): Promise<void> => {
      await stack.stop();
      if (natsUrl && !alone) await removeTraces(natsUrl, prefix);
      files(keepFiles);
    };
    return { apiUrl, inspectorUrl, natsUrl: stack.natsUrl, single: alone, home, logFolder, stop };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`The stack did not start: ${why}\nLogs: ${logFolder}`, { cause: error });
  }
}

/** A warning of the runtime in the middle of the table would tear it. */
function warnInto(file: string): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ stack, message }) => {
    if (existsSync(dirname(file))) appendFileSync(file, `${stack ?? message}\n`);
  });
}

function addressesOf({ apiUrl, inspectorUrl }: RunningStack): { apiUrl: string; inspectorUrl: string } {
  if (apiUrl === null || inspectorUrl === null) throw new Error('the API or the inspector is not among the services');
  return { apiUrl, inspectorUrl };
}

function environment(env: NodeJS.ProcessEnv, home: string, prefix: string): NodeJS.ProcessEnv {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('FERROLOG_') && name !== 'DATABASE_URL');
  return {
    ...Object.fromEntries(others),
    FERROLOG_HOME: home,
    FERROLOG_API_PORT: '0',
    FERROLOG_INSPECTOR_PORT: '0',
    FERROLOG_BUS_PREFIX: prefix,
    // A person is watching: what the inspector knows is asked for at once.
    FERROLOG_INSPECTOR__STATUS_CHECK_PERIOD: '1',
  };
}
