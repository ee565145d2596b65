/** What the configuration file of one port says. Everything in it has passed `kernelParameterProblem`. */
export interface RamdiskBoot {
  readonly node: string;
  readonly attempt: number;
  /** MAC address, lower case with colons. */
  readonly mac: string;
  readonly kernel: string;
  readonly ramdisk: string;
  readonly kernelParameters: readonly string[];
}

export const dashed = (mac: string): string => mac.replaceAll(':', '-');

/** The port that it boots from, as pxelinux names it: hardware type 1 is Ethernet (contract: ramdisk.md §1). */
const bootif = (mac: string): string => `BOOTIF=01-${dashed(mac)}`;

const heading = ({ node, attempt }: RamdiskBoot): string =>
  `# Written for inspection ${attempt} of node ${node}; removed when it ends.`;

/** An iPXE script. `initrd=` names the image as the loader knows it, which EFI kernels ask for. */
export const ipxeScript = (boot: RamdiskBoot): string =>
  [
    '#!ipxe',
    heading(boot),
    `kernel ${boot.kernel} initrd=ramdisk ${[...boot.kernelParameters, bootif(boot.mac)].join(' ')}`,
    `initrd --name ramdisk ${boot.ramdisk}`,
    'boot',
    '',
  ].join('\n');

export const pxelinuxConfig = (boot: RamdiskBoot): string =>
  [
    heading(boot),
    'DEFAULT inspection',
    'PROMPT 0',
    'LABEL inspection',
    `  KERNEL ${boot.kernel}`,
    `  APPEND initrd=${boot.ramdisk} ${[...boot.kernelParameters, bootif(boot.mac)].join(' ')}`,
    '',
  ].join('\n');
