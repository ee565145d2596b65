import type { Act, ToldParts } from '../management';
import type { PowerTarget } from '../states';
import type { JsonObject, NodeFields } from './fields';

/** The logs of a ramdisk, which are no part of its data: where they lie. */
export interface RamdiskLogs {
  /** Of a file in the folder for logs. */
  readonly name: string;
  /** The conductor that has that folder. */
  readonly host: string;
}

/**
 * Work outside the log that an event asks for: at least once, fenced, in order of `n` (architecture, rule 5).
 * `attempt` ties it to an inspection; null: it serves the node as long as it exists.
 */
export type EffectTask =
  | { readonly kind: 'inspect' }
  /** Tells the inspector to start, without the reservation (contract: inspection.md §4.3, RULE). */
  | { readonly kind: 'start introspection'; readonly manageBoot: boolean }
  | { readonly kind: 'abort inspection' }
  /** Runs the hooks over what a ramdisk posted; the hashes name the data as it came (contract: inspection.md §6.4). */
  | {
      readonly kind: 'process inspection data';
      readonly payload: StoredInventory;
      /** Absent: none came with it, or they are not wanted. */
      readonly logs?: RamdiskLogs;
    }
  /** Hands it on to the inspector instead, without the reservation (contract: inspection.md §6.4, step 5). */
  | { readonly kind: 'forward inspection data'; readonly payload: StoredInventory }
  | {
      readonly kind: 'work';
      readonly work: WorkName;
      /** Present where the settings or the node switch automated cleaning off: there is nothing to do. */
      readonly automated?: false;
      /** The step to take, secrets in its arguments sealed. Absent: work that has no steps, or what is left after the last. */
      readonly step?: WorkStep;
      /** The ramdisk has called back, and the work goes on from there. */
      readonly resumed?: true;
      /** It does without its ramdisk. */
      readonly ramdisk?: false;
      /** What an abort of the work leaves to be done, instead of the work itself. */
      readonly aborted?: true;
    }
  | {
      readonly kind: 'power';
      readonly target: PowerTarget;
      readonly timeoutSeconds: number | null;
      readonly cleanUp: boolean;
    }
  /** Takes away what the named boot interface prepared for the attempt's ramdisk (contract: inspection.md §4.4). */
  | { readonly kind: 'clean up boot'; readonly interface: string }
  /** Tells the inspect interface that started the attempt how it left `inspect wait` (contract: inspection.md §9.5, RULE). */
  | { readonly kind: 'tell ending'; readonly interface: string; readonly outcome: WaitOutcome }
  | { readonly kind: 'set boot device'; readonly device: string; readonly persistent: boolean }
  | { readonly kind: 'manage'; readonly act: Act };

export type EffectKind = EffectTask['kind'];

/** How an inspection that had been in `inspect wait` ended. */
export type WaitOutcome = 'done' | 'fail' | 'abort' | 'timeout' | 'deleted';

export interface Effect {
  /** Number in the node's stream; never restarts. */
  readonly n: number;
  readonly attempt: number | null;
  readonly task: EffectTask;
}

/** Lifecycle work that is not an inspection; each is one row of the `works` table. */
export type WorkName =
  'verify' | 'clean' | 'manual clean' | 'deploy' | 'tear down' | 'adopt' | 'rescue' | 'unrescue' | 'service';

/** A step as clients write it (contract: node-api.md §10, step objects). */
export interface WorkStep {
  readonly interface: string;
  readonly step: string;
  readonly args?: JsonObject;
  /** It is taken on the children of the node instead, on those of the list where there is one. */
  readonly execute_on_child_nodes?: boolean;
  readonly limit_child_node_execution?: readonly string[];
  /** Place in a runbook, or in a list whose steps all have one; digits in a text count as a number. */
  readonly order?: number | string;
  /** Of a step of a deployment: the highest comes first, one with 0 is left out. */
  readonly priority?: number | string;
}

/** What the worker brings back. `returned` is the interface's own word where it has one. */
export type EffectOutcome =
  | { readonly result: 'done'; readonly value: EffectValue }
  | { readonly result: 'failed'; readonly reason: string; readonly machine?: MachineSeen }
  /** What it served no longer stands; nothing more was done to the hardware. */
  | { readonly result: 'cancelled' };

export interface EffectValue {
  /** `inspect`: the state that the interface returned (MANAGEABLE, INSPECTWAIT, INSPECTING, ...). */
  readonly returned?: string | null;
  /** `inspect`: the class or name of the interface, for warnings. */
  readonly interfaceName?: string;
  /** `inspect`: whether the conductor boots the ramdisk itself. */
  readonly manageBoot?: boolean;
  /** `inspect`: cached BMC addresses for lookup (contract: inspection.md §4.1 step 4). */
  readonly lookupBmcAddresses?: readonly string[];
  /** `inspect`: where the ramdisk that we boot was told to post its data. */
  readonly callbackUrl?: string;
  readonly inventory?: StoredInventory | null;
  /** `work`: the step is on its way, and its ramdisk calls back when it is to go on. */
  readonly waits?: { readonly abortable: boolean };
  /** `work`: an operator says when to go on. */
  readonly holds?: true;
  /** `inspect` and `work`: what was done to the machine. */
  readonly machine?: MachineSeen;
  /** `inspect` and `process inspection data`: properties that were found; those not named stay. */
  readonly properties?: JsonObject;
  /** `inspect` and `process inspection data`: what is odd about the data, or missing in it; in words, as far as they are kept. */
  readonly warnings?: readonly string[];
  /** `inspect`: why it has failed, although its data is there to be kept (contract: inspection.md §11). */
  readonly failure?: string;
  /** `inspect` and `process inspection data`: what the inspection rules made of the node's fields, over those properties; secrets sealed. */
  readonly ruledFields?: Partial<NodeFields>;
  /** Present when they brought the node's first secret. */
  readonly keyId?: string;
  /** `inspect` and `process inspection data`: all of the node's traits, where the inspection rules changed them. */
  readonly traits?: readonly string[];
  /** `power` and `work`: what the hardware reports now. */
  readonly powerState?: 'power on' | 'power off' | null;
  /** `power`: false when nothing had to change. */
  readonly changed?: boolean;
  /** `work`: what the machine told of its settings and firmware on the way. */
  readonly parts?: ToldParts;
  /** `work`: how a step left the machine's RAID; `{}`: without any. */
  readonly raidConfig?: JsonObject;
  /** `manage`: what a vendor method answers, as JSON; absent when it says nothing. */
  readonly answer?: unknown;
}

/** How a machine was left by work that is not a power change of its own; told also when the work failed on the way. */
export interface MachineSeen {
  readonly powerState: 'power on' | 'power off' | null;
  /** False when its power was not touched. */
  readonly changed: boolean;
  readonly bootDevice: { readonly device: string; readonly persistent: boolean } | null;
  /** SHA-256, in hex, of the token that its ramdisk was handed with what it boots from (contract: inspection.md §4.2). */
  readonly agentTokenDigest?: string;
}

/** Content hashes of what an inspection found. */
export interface StoredInventory {
  readonly inventory: string;
  readonly pluginData: string;
}
