import { defaultHooks, interfaceTypes } from '@lib/domain';
import type { EnabledInterfaces, HookOptions, InspectionRule, InterfaceType, MaskSecrets, Policy } from '@lib/domain';
import type { ConductorOptions, EffectLimits } from '@lib/usecases';

/** Names that some hardware type knows, so that every type finds its defaults. */
const enabled: Readonly<Record<InterfaceType, readonly string[]>> = {
  bios: ['fake', 'no-bios'],
  boot: ['fake', 'ipxe', 'pxe'],
  console: ['fake', 'no-console'],
  deploy: ['fake', 'direct'],
  firmware: ['fake', 'no-firmware'],
  inspect: ['fake', 'inspector', 'agent', 'legacy', 'listening', 'no-inspect'],
  management: ['fake', 'noop'],
  network: ['noop'],
  power: ['fake'],
  raid: ['fake', 'no-raid'],
  rescue: ['fake', 'no-rescue'],
  storage: ['noop'],
  vendor: ['fake', 'no-vendor'],
};

export const interfaces: EnabledInterfaces = {
  enabled,
  defaults: Object.fromEntries(interfaceTypes.map((kind) => [kind, null])) as Record<InterfaceType, null>,
};

const inspectedBy = (inspect: string): EnabledInterfaces => ({
  enabled,
  defaults: { ...interfaces.defaults, inspect },
});

export const policy: Policy = {
  inspectWaitTimeoutSeconds: 1800,
  callbackTimeoutSeconds: { 'wait call-back': 1800, 'clean wait': 1800, 'rescue wait': 1800, 'service wait': 1800 },
  waitTimeouts: true,
  inspectorPowerOff: true,
  fastTrack: false,
  inspectingReturn: 'warn',
  allowDeletingAvailable: true,
  allowProvisioningInMaintenance: true,
  automatedClean: true,
  peerLimitMs: 32_000,
};

export const limits: EffectLimits = { inspectMs: 600_000, peerMs: 30_000, workMs: 120_000, powerMs: 60_000 };

/** Hooks, rules and `[inspector]` options; what is not given is as it ships. */
export interface InspectionSetup {
  readonly hooks?: readonly string[];
  readonly hookOptions?: Partial<HookOptions>;
  readonly builtInRules?: readonly InspectionRule[];
  readonly maskSecrets?: MaskSecrets;
  readonly preCreatePorts?: boolean;
  readonly discoveryDriver?: string;
  readonly collectLogs?: 'on_failure' | 'always' | 'never';
}

export const conductorOptions = (
  host: string,
  rest: Partial<Policy> = {},
  {
    hooks = defaultHooks,
    hookOptions = {},
    builtInRules = [],
    maskSecrets = 'always',
    preCreatePorts = true,
    collectLogs = 'on_failure',
    discoveryDriver,
  }: InspectionSetup = {},
): ConductorOptions => ({
  host,
  policy: { ...policy, ...rest },
  hardwareTypes: ['fake-hardware', 'manual-management'],
  // What is discovered has the default interface.
  interfaces: discoveryDriver === undefined ? interfaces : inspectedBy('agent'),
  defaultResourceClass: null,
  defaultConductorGroup: '',
  portgroupMode: 'active-backup',
  releaseWaitMs: 3000,
  concurrency: { deploy: 250, clean: 50, perConductorGroup: false },
  inspection: {
    preCreatePorts,
    hooks,
    hookOptions: { addPorts: 'pxe', keepPorts: 'all', updatePxeEnabled: true, ...hookOptions },
    discoveryDriver: discoveryDriver ?? null,
    storeData: true,
    collectLogs,
    builtInRules,
    maskSecrets,
  },
});
