import type { Clock } from '@lib/ports';
import { type BareMetalApi, BareMetalApiError } from './bare-metal-api';

export const pause = (clock: Clock, ms: number): Promise<void> => new Promise((resolve) => clock.after(ms, resolve));

export interface RetryOptions {
  /** Tries in all, the first included. */
  readonly triesMax: number;
  readonly pauseMs: number;
}

const persistently = async <T>(clock: Clock, options: RetryOptions, call: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      const again = error instanceof BareMetalApiError && error.mayPass && tries < options.triesMax;
      if (!again) throw error;
      await pause(clock, options.pauseMs);
    }
  }
};

/** The same API, each call tried again while its failure may pass (contract: inspector-api.md §3.1: 5 tries, 1 s apart). */
export const withRetries = (api: BareMetalApi, clock: Clock, options: RetryOptions): BareMetalApi => {
  const again = <T>(call: () => Promise<T>): Promise<T> => persistently(clock, options, call);
  return {
    node: (ident) => again(() => api.node(ident)),
    powerProblem: (uuid) => again(() => api.powerProblem(uuid)),
    ports: (uuid) => again(() => api.ports(uuid)),
    setBootDevice: (uuid, device, persistent) => again(() => api.setBootDevice(uuid, device, persistent)),
    setPower: (uuid, target) => again(() => api.setPower(uuid, target)),
    patchNode: (uuid, patch, resetInterfaces) => again(() => api.patchNode(uuid, patch, resetInterfaces)),
    createPort: (port) => again(() => api.createPort(port)),
    patchPort: (uuid, patch) => again(() => api.patchPort(uuid, patch)),
    removePort: (uuid) => again(() => api.removePort(uuid)),
    addTrait: (uuid, name) => again(() => api.addTrait(uuid, name)),
    removeTrait: (uuid, name) => again(() => api.removeTrait(uuid, name)),
    nodeUuids: () => again(() => api.nodeUuids()),
  };
};
