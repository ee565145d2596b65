/** What a machine finds on its kernel's command line (contract: ramdisk.md §1). */
export interface BootedWith {
  /** `ipa-inspection-callback-url`, each in turn until one answers; empty: it posts nowhere. */
  readonly callbackUrls: readonly string[];
  /** `ipa-api-url`, the first; null: it neither looks up its node nor beats. */
  readonly apiUrl: string | null;
  /** `BOOTIF`, unchanged; null: it does not know which NIC it booted from. */
  readonly bootif: string | null;
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
  const urls = (name: string): string[] => (value(name) ?? '').split(',').filter((url) => url !== '');
  return {
    callbackUrls: urls('ipa-inspection-callback-url'),
    apiUrl: urls('ipa-api-url')[0] ?? null,
    bootif: value('BOOTIF'),
  };
}
