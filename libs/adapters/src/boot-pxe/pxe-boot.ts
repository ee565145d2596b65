import type { BootInterface, InspectionSupport, Machine, ManagementInterface } from '@lib/ports';
import { persistsBootDevice } from '../boot-ramdisk';
import { removeBootFiles, writeBootFiles } from './boot-files';
import { dashed, ipxeScript, pxelinuxConfig } from './config-text';
import type { RamdiskBoot } from './config-text';
import { imageOf } from './image-href';
import type { ImageNames } from './image-href';

export interface PxeSettings {
  /** `[pxe] tftp_root`: for pxelinux. */
  readonly tftpRoot: string;
  /** `[deploy] http_root`: for iPXE. */
  readonly httpRoot: string;
  /** `[deploy] http_url`: what a web server serves `httpRoot` as. */
  readonly httpUrl: string | null;
  /** `[conductor] deploy_kernel`, `deploy_ramdisk`: for nodes that name none themselves. */
  readonly deployKernel: string | null;
  readonly deployRamdisk: string | null;
}

/** One kind of loader: where it looks, under which name, and what it reads. */
interface Loader {
  readonly name: 'ipxe' | 'pxe';
  readonly images: ImageNames;
  readonly fileName: (mac: string) => string;
  readonly text: (boot: RamdiskBoot) => string;
}

const loaders: Readonly<Record<Loader['name'], (settings: PxeSettings) => Loader>> = {
  ipxe: ({ httpRoot: root, httpUrl }) => ({
    name: 'ipxe',
    images: { root, base: httpUrl === null ? null : `${httpUrl}/`, noBase: '[deploy] http_url is not set' },
    fileName: dashed,
    text: ipxeScript,
  }),
  pxe: ({ tftpRoot: root }) => ({
    name: 'pxe',
    // A path from the root of the TFTP server, whatever folder the loader itself came from.
    images: { root, base: '/', noBase: '' },
    fileName: (mac) => `01-${dashed(mac)}`,
    text: pxelinuxConfig,
  }),
};

interface Images {
  readonly kernel: string;
  readonly ramdisk: string;
}

type Support =
  Exclude<InspectionSupport, { verdict: 'supported' }> | { readonly verdict: 'supported'; readonly images: Images };

const bootingMacs = ({ ports }: Machine): string[] =>
  ports.filter(({ pxeEnabled }) => pxeEnabled).map(({ address }) => address.toLowerCase());

function supportOf(machine: Machine, loader: Loader, settings: PxeSettings): Support {
  const found = [
    imageOf('deploy_kernel', machine.driverInfo, settings.deployKernel, loader.images),
    imageOf('deploy_ramdisk', machine.driverInfo, settings.deployRamdisk, loader.images),
  ] as const;
  const no = (why: string): string => `Driver ${loader.name} cannot boot the inspection ramdisk: ${why}.`;
  for (const one of found) if ('problem' in one) return { verdict: 'missing parameter', reason: no(one.problem) };
  for (const one of found) if ('missing' in one) return { verdict: 'unsupported', reason: no(one.missing) };
  if (bootingMacs(machine).length === 0) {
    return { verdict: 'unsupported', reason: no('the node has no port that is enabled for PXE') };
  }
  const [kernel, ramdisk] = found.map((one) => ('location' in one ? one.location : ''));
  return { verdict: 'supported', images: { kernel: kernel ?? '', ramdisk: ramdisk ?? '' } };
}

/**
 * The boot interfaces `pxe` and `ipxe`: a file for each port of the machine, where the loader that it gets from DHCP looks for
 * one by its MAC address (contract: inspection.md §4.1, §4.2, ramdisk.md §1).
 */
export function pxeBoot(
  name: Loader['name'],
  settings: PxeSettings,
  management: (name: string) => Pick<ManagementInterface, 'setBootDevice'>,
): BootInterface {
  const loader = loaders[name](settings);
  const { root } = loader.images;
  return {
    bootsByPort: true,
    validate: (machine) => {
      const support = supportOf(machine, loader, settings);
      return support.verdict === 'supported' ? null : support.reason;
    },
    validateInspection: (machine) => {
      const support = supportOf(machine, loader, settings);
      return support.verdict === 'supported' ? { verdict: 'supported' } : support;
    },
    async prepareRamdisk(machine, kernelParameters, call) {
      const support = supportOf(machine, loader, settings);
      if (support.verdict !== 'supported') throw new Error(support.reason);
      if (machine.attempt === null) throw new Error('no inspection is open');
      const { attempt, uuid: node } = machine;
      const boots = bootingMacs(machine).map((mac) => ({ node, attempt, mac, kernelParameters, ...support.images }));
      const files = boots.map((boot) => ({ name: loader.fileName(boot.mac), text: loader.text(boot) }));
      await writeBootFiles(root, node, attempt, files);
      await call.stillStands();
      const device = { device: 'pxe', persistent: persistsBootDevice(machine) };
      await management(machine.managementInterface).setBootDevice(machine, device.device, device.persistent, call);
      return device;
    },
    async cleanUpRamdisk({ uuid, attempt }) {
      if (attempt !== null) await removeBootFiles(root, uuid, attempt);
    },
  };
}
