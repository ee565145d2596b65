import { defaultCollectors } from './collectors';

/** What a machine finds on its kernel's command line (contract: ramdisk.md §1). */
export interface BootedWith {
  /** `ipa-inspection-callback-url`, each in turn until one answers; empty: it posts nowhere. */
  readonly callbackUrls: readonly string[];
  /** `ipa-api-url`, the first; null: it neither looks up its node nor beats. */
  readonly apiUrl: string | null;
  /** `BOOTIF`, unchanged; null: it does not know which NIC it booted from. */
  readonly bootif: string | null;
  /** `ipa-inspection-collectors`, those of every ramdisk where it names none. */
  readonly collectors: readonly string[];
  /** `ipa-agent-token`; null: it gets one by its lookup. */
  readonly agentToken: string | null;
}

/** The command line in an iPXE script or a pxelinux configuration; null when it starts no kernel. */
function commandLine(text: string): string | null {
  const lines = text.split('\n').map((line) => line.trim());
  const line = lines.find((each) => (text.startsWith('#!ipxe') ? /^kernel /.test(each) : /^append /i.test(each)));
  return line === undefined ? null : line;
}

/** What a machine that boots by this file runs with; null when it boots nothing. */
export function bootedWith(text: string): BootedWith | null {
  const line = commandLine(text);
  if (line === null) return null;
  const value = (name: string): string | null => {
    const word = line.split(' ').findLast((each) => each.startsWith(`${name}=`));
    return word === undefined ? null : word.slice(name.length + 1);
  };
  const list = (name: string): string[] => (value(name) ?? '').split(',').filter((entry) => entry !== '');
  const apiUrl = list('ipa-api-url')[0] ?? null;
  const asked = list('ipa-inspection-collectors');
  const callbackUrls = list('ipa-inspection-callback-url');
  // Told what to collect and where the API is, it knows where to post.
  const implied = callbackUrls.length === 0 && asked.length > 0 && apiUrl !== null;
  return {
    callbackUrls: implied
      ? [`${apiUrl.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1/continue_inspection`]
      : callbackUrls,
    apiUrl,
    bootif: value('BOOTIF'),
    collectors: asked.length > 0 ? asked : defaultCollectors,
    agentToken: value('ipa-agent-token') || null,
  };
}
