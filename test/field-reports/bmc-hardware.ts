/** What a conductor that reaches a real BMC, and its settings, need beside them. */
import type { RedfishOptions } from '@lib/adapters/hardware-redfish';

const redfish: RedfishOptions = {
  authType: 'auto',
  verifyCa: true,
  connectionAttempts: 5,
  connectionRetryMs: 4000,
  serverErrorAttempts: 10,
  serverErrorRetryMs: 3000,
  // Sockets take real time while the clock of the spec runs ahead.
  connectTimeoutMs: 3_600_000,
  readTimeoutMs: 3_600_000,
  questionMs: 20_000,
  connectionsMax: 100,
  powerChangeMs: 3_600_000,
  softPowerOffMs: 3_600_000,
  hooks: ['validate-interfaces', 'ports', 'architecture'],
};

export const hardware = {
  inspectDelay: { firstSeconds: 0, secondSeconds: null },
  inspectorTimeoutMs: 10_000,
  inspectorOverHttp: null,
  requireManagedBoot: false,
  ramdisk: { apiUrl: 'http://192.0.2.1:6385', extraKernelParameters: [], forceDhcp: false, fastTrack: false },
  inspectorEndpoint: 'http://192.0.2.1:5050',
  pxe: { tftpRoot: '/nonexistent', httpRoot: '/nonexistent', httpUrl: null, deployKernel: null, deployRamdisk: null },
  redfish,
} as const;
