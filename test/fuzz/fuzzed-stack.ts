import { startStack, type Settings } from '../stack';

export interface FuzzedStack {
  readonly url: string;
  /** The last lines of what it logged. */
  readonly logs: () => string;
  readonly stop: () => Promise<unknown>;
}

/** Nothing waits for longer than it must, and deadlines pass while requests go on. */
const settings: Settings = {
  DEFAULT: {
    enabled_hardware_types: 'fake-hardware, manual-management',
    enabled_inspect_interfaces: 'fake, agent, no-inspect',
  },
  conductor: { node_locked_retry_attempts: '1', node_locked_retry_interval: '1', inspect_wait_timeout: '5' },
};

/** All services in one process over a store of their own, on a free port. */
export async function fuzzedStack(): Promise<FuzzedStack> {
  const stack = await startStack({ layout: 'single', settings });
  return { url: stack.apiUrl, logs: () => stack.logs(), stop: () => stack.stop() };
}
