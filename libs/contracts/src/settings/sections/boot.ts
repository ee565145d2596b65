import { kernelParameterProblem, kernelParametersIn } from '@lib/domain';
import { boolean, text, textOrUnset, urlOrUnset } from '../scalars';
import type { TextRule } from '../scalars';

/** How the conductor boots ramdisks itself. contract: config.md [deploy], [inspector], inspection.md §4.1, §4.2 */

export const folderRule: TextRule = {
  accepts: 'an absolute path without blanks',
  check: (value) =>
    /^\/[!-~]+$/.test(value) && !value.split('/').includes('..') && !value.endsWith('/')
      ? undefined
      : `"${value}" is no absolute path without blanks, "..", or a slash at its end`,
};

const imageRule: TextRule = {
  accepts: 'an http, https, tftp or file address',
  check: (value) => {
    if (!/^(https?:\/\/|tftp:\/\/|file:\/\/\/)\S+$/.test(value)) {
      return `"${value}" is no http, https, tftp or file address`;
    }
    const problem = kernelParameterProblem(value);
    return problem === null ? undefined : `"${value}" cannot stand in a boot configuration file: ${problem}`;
  },
};

const readBy = ['conductor'] as const;
const readByBoth = ['conductor', 'inspector-simulator'] as const;

export const ownFolder = (ironic: string) => ({
  ironic,
  why: 'a first start writes nowhere but in its own state folder',
});

export const pxeSection = {
  tftp_root: textOrUnset({
    ...folderRule,
    readBy: readByBoth,
    meaning:
      'Folder that a TFTP server serves. With the boot interface `pxe` a file is written to `pxelinux.cfg/01-<MAC with dashes>` for each port of a node under inspection. Unset: `tftpboot` in the state folder.',
    difference: ownFolder('/tftpboot'),
  }),
};

export const bootDeployOptions = {
  http_root: textOrUnset({
    ...folderRule,
    readBy: readByBoth,
    meaning:
      'Folder that a web server serves. With the boot interface `ipxe` a script is written to `pxelinux.cfg/<MAC with dashes>` for each port of a node under inspection. Unset: `httpboot` in the state folder.',
    difference: ownFolder('/httpboot'),
  }),
  http_url: urlOrUnset({
    readBy,
    meaning: 'Address under which http_root is served. Needed where deploy_kernel and deploy_ramdisk are files in it.',
    difference: { ironic: '(computed)', why: 'no web server is part of this release, so none is guessed' },
  }),
};

export const bootConductorOptions = {
  deploy_kernel: textOrUnset({
    ...imageRule,
    readBy,
    meaning:
      'Kernel of the ramdisk for nodes whose driver_info names none. A file lies in tftp_root (`pxe`) or http_root (`ipxe`).',
  }),
  deploy_ramdisk: textOrUnset({
    ...imageRule,
    readBy,
    meaning: 'Image of the ramdisk for nodes whose driver_info names none; as deploy_kernel.',
  }),
};

export const bootInspectorOptions = {
  callback_endpoint_override: textOrUnset({
    accepts: 'an http or https address, or `mdns`',
    check: (value) => {
      const isAddress = /^https?:\/\/[^\s/?#]+[^\s?#]*$/i.test(value) && URL.canParse(value);
      if (value !== 'mdns' && !isAddress) return `"${value}" is neither an http or https address nor mdns`;
      return kernelParameterProblem(value) ?? undefined;
    },
    readBy,
    meaning:
      'Address of the inspector that ramdisks post to where the conductor boots them for the interface `inspector`; `/v1/continue` is added, unless it is `mdns`. Unset: endpoint_override, else the inspector on this host; a loopback address is refused. Ramdisks of the interface `agent` post to [api] public_endpoint, else to where the API listens.',
  }),
  extra_kernel_params: text({
    default: '',
    accepts: 'kernel parameters separated by blanks',
    check: (value) => {
      const found = kernelParametersIn(value);
      return 'problem' in found ? found.problem : undefined;
    },
    readBy,
    meaning: 'Added to the kernel parameters of ramdisks that the conductor boots.',
  }),
  force_dhcp: boolean({
    default: false,
    readBy,
    meaning: 'Tell ramdisks that the conductor boots to collect what LLDP says on all NICs.',
  }),
};
