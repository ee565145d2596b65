import { unmanaged } from '@lib/domain';
import type { Machine } from '@lib/ports';

/** A machine of `fake-hardware` that nothing has been done to; what matters to a spec is said by it. */
export const aMachine = (rest: Partial<Machine> = {}): Machine => ({
  uuid: '6d9b7c2e-3f3a-4f0e-9b1a-0c5d5e0f7a11',
  driver: 'fake-hardware',
  driverInfo: {},
  properties: {},
  extra: {},
  instanceInfo: {},
  bootInterface: 'fake',
  networkInterface: 'noop',
  powerInterface: 'fake',
  managementInterface: 'fake',
  disablePowerOff: false,
  powerState: null,
  bootDevice: null,
  managed: unmanaged,
  attempt: null,
  managedBoot: null,
  ports: [],
  ...rest,
});
