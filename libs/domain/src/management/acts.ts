import type { SealedValue } from '../secrets';

/**
 * What a client asks of a machine beside power, boot device and lifecycle work (contract: node-api.md §12, §13, §21, §22).
 * One kind of command, of event and of effect serves them all.
 */
export type Act =
  | { readonly act: 'set console'; readonly enabled: boolean }
  | { readonly act: 'set boot mode'; readonly mode: BootMode }
  | { readonly act: 'set secure boot'; readonly enabled: boolean }
  | { readonly act: 'inject nmi' }
  | { readonly act: 'set indicator'; readonly component: string; readonly indicator: string; readonly state: string }
  | {
      readonly act: 'attach media';
      readonly deviceType: MediaType;
      /** May hold credentials: sealed before it reaches the log. */
      readonly imageUrl: string | SealedValue;
      readonly downloadSource: DownloadSource;
    }
  /** Of all types when it names none. */
  | { readonly act: 'detach media'; readonly deviceTypes: readonly MediaType[] }
  | {
      readonly act: 'call vendor method';
      readonly method: string;
      readonly httpMethod: string;
      /** The body as it came; secrets by their names sealed before they reach the log. */
      readonly args: unknown;
    };

/** Fields of acts that are secret, or may hold secrets. */
export const secretActFields = ['imageUrl', 'args'] as const;

export type ActName = Act['act'];

export const bootModes = ['uefi', 'bios'] as const;
export type BootMode = (typeof bootModes)[number];

export const mediaTypes = ['cdrom', 'disk', 'floppy'] as const;
export type MediaType = (typeof mediaTypes)[number];

export const downloadSources = ['http', 'local', 'swift'] as const;
export type DownloadSource = (typeof downloadSources)[number];

/** The interfaces of a node that carry acts out and answer questions. */
export type ActingKind = 'console' | 'management' | 'vendor';

export interface ActRule {
  readonly by: ActingKind;
  /** Whether the requester waits for the machine's word; else it is told that the request was accepted. */
  readonly waits: boolean;
  /** Whether states that may change without a request refuse it: 409. */
  readonly needsRest: boolean;
  /** Whether it is refused while the node is in maintenance because its power failed: 503. */
  readonly needsPowerControl: boolean;
}

const rule = (by: ActingKind, waits: boolean, differs: Partial<ActRule> = {}): ActRule => ({
  by,
  waits,
  needsRest: false,
  needsPowerControl: false,
  ...differs,
});

/** How each act is decided. Of vendor methods each says for itself whether its requester waits. */
export const actRules: Readonly<Record<ActName, ActRule>> = {
  'set console': rule('console', false),
  'set boot mode': rule('management', false, { needsRest: true }),
  'set secure boot': rule('management', false, { needsRest: true }),
  'inject nmi': rule('management', true),
  'set indicator': rule('management', true),
  'attach media': rule('management', true, { needsPowerControl: true }),
  'detach media': rule('management', true, { needsPowerControl: true }),
  'call vendor method': rule('vendor', true),
};

/** A method of a vendor interface (contract: node-api.md §22). */
export interface VendorMethod {
  readonly httpMethods: readonly string[];
  /** Accepted and carried out later; else its result is the answer. */
  readonly async: boolean;
  readonly description: string;
  /** Whether it holds the node as long as it runs. */
  readonly exclusive: boolean;
}

/** What is asked without changing anything. */
export type MachineQuestion =
  | { readonly ask: 'console' }
  | { readonly ask: 'indicators' }
  | { readonly ask: 'indicator'; readonly component: string; readonly indicator: string }
  | { readonly ask: 'media' }
  | { readonly ask: 'vendor methods' };

export const questionKinds: Readonly<Record<MachineQuestion['ask'], ActingKind>> = {
  console: 'console',
  indicators: 'management',
  indicator: 'management',
  media: 'management',
  'vendor methods': 'vendor',
};

/** An act in the words of texts for people. */
export function actWords(act: Act): string {
  switch (act.act) {
    case 'set console':
      return act.enabled ? 'start of the console' : 'stop of the console';
    case 'set boot mode':
      return `change of the boot mode to ${act.mode}`;
    case 'set secure boot':
      return `change of secure boot to ${act.enabled ? 'on' : 'off'}`;
    case 'inject nmi':
      return 'injection of an NMI';
    case 'set indicator':
      return `change of the indicator ${act.indicator}@${act.component} to ${act.state}`;
    case 'attach media':
      return `attachment of virtual media (${act.deviceType})`;
    case 'detach media':
      return `detachment of virtual media (${act.deviceTypes.join(', ') || 'all'})`;
    case 'call vendor method':
      return `call of the vendor method ${act.method}`;
  }
}
