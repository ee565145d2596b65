import { kernelParameterProblem, mergedParameters } from '@lib/domain';
import type { BootInterface, Chance, Clock, InspectionSupport, Machine } from '@lib/ports';
import { newToken } from '../../agent-token';
import { removeAttemptFiles, writeAttemptFile } from '../../boot-pxe';
import { setBootDevice } from '../boot-device';
import type { BmcConnections } from '../connections';
import { accessOf, accessProblem } from '../driver-info';
import type { RedfishOptions } from '../options';
import { asked } from '../question';
import { findSystem } from '../system';
import type { SystemCall } from '../system';
import { ejectImages, insertMedia, mediaImages } from '../virtual-media';
import { parametersImage } from './parameters-image';

export interface MediaBootSettings {
  /** `[deploy] http_root`: where the medium with the parameters is put. */
  readonly httpRoot: string;
  /** `[deploy] http_url`: what a web server serves `httpRoot` as. */
  readonly httpUrl: string | null;
}

const NAME = 'redfish-virtual-media';
const FILE = 'parameters.img';

interface Images {
  /** What the machine boots. */
  readonly iso: string;
  /** Where the media with parameters are served. */
  readonly served: string;
}

/** All that is missing or wrong, in one text; there is no way to boot without it (contract: inspection.md §4.1). */
function imagesOf(
  { driverInfo }: Pick<Machine, 'driverInfo'>,
  settings: MediaBootSettings,
  options: RedfishOptions,
): Images | string {
  const { deploy_iso: iso } = driverInfo;
  const problems = [
    accessProblem(driverInfo, options),
    isoProblem(iso),
    settings.httpUrl === null
      ? '[deploy] http_url is not set, where the BMC finds the parameters of the ramdisk.'
      : null,
  ].filter((one) => one !== null);
  if (problems.length > 0) return `Driver ${NAME} cannot boot the inspection ramdisk: ${problems.join(' ')}`;
  return { iso: String(iso), served: `${String(settings.httpUrl).replace(/\/+$/, '')}/ferrolog` };
}

function isoProblem(iso: unknown): string | null {
  if (iso === undefined || iso === null || iso === '') return 'driver_info lacks deploy_iso, the image that is booted.';
  const isAddress = typeof iso === 'string' && /^(https?|nfs|cifs|smb):\/\/[^\s/]+\/\S+$/i.test(iso);
  return isAddress ? null : 'driver_info: deploy_iso is no http, https, nfs, cifs or smb address.';
}

/**
 * The boot interface `redfish-virtual-media`: the BMC shows the machine an image of the ramdisk as its CD, and what the ramdisk
 * is told on a second medium (contract: inspection.md §4.1, §4.2).
 */
export function redfishMediaBoot(
  connections: BmcConnections,
  options: RedfishOptions,
  clock: Clock,
  chance: Chance,
  settings: MediaBootSettings,
): BootInterface {
  const problemOf = (machine: Machine): string | null => {
    const found = imagesOf(machine, settings, options);
    return typeof found === 'string' ? found : null;
  };
  return {
    bootsByPort: false,
    validate: problemOf,
    validateInspection(machine): InspectionSupport {
      const reason = problemOf(machine);
      return reason === null ? { verdict: 'supported' } : { verdict: 'missing parameter', reason };
    },
    async prepareRamdisk(machine, kernelParameters, call) {
      const found = imagesOf(machine, settings, options);
      if (typeof found === 'string') throw new Error(found);
      const { uuid, attempt } = machine;
      if (attempt === null) throw new Error('no inspection is open');
      const odd = kernelParameters.map(kernelParameterProblem).find((one) => one !== null);
      if (odd) throw new Error(odd);
      const { token, digest } = newToken(chance);
      const told = parametersImage(mergedParameters(kernelParameters, [`ipa-agent-token=${token}`]));
      await writeAttemptFile(settings.httpRoot, uuid, attempt, FILE, told);
      return connections.using(accessOf(machine.driverInfo, options), async (bmc) => {
        const on: SystemCall = { system: await findSystem(bmc, call), bmc, turn: call };
        // The parameters first: what is in there tells whose attempt the image of the ramdisk is there for.
        const second = await insertMedia(['disk', 'floppy'], parametersAt(found, uuid, attempt), on);
        await insertMedia(['cdrom'], found.iso, on, second);
        await setBootDevice('cdrom', false, on.system, { bmc, turn: call });
        return { device: 'cdrom', persistent: false, agentTokenDigest: digest };
      });
    },
    async cleanUpRamdisk({ uuid, attempt, driverInfo }) {
      if (attempt === null) return;
      await removeAttemptFiles(settings.httpRoot, uuid, attempt);
      if (driverInfo === undefined) return;
      const found = imagesOf({ driverInfo }, settings, options);
      if (typeof found === 'string') return;
      // An inspection that is over is cleaned up after all the same, within a time of its own.
      await asked(options.questionMs, clock, (turn) =>
        connections.using(accessOf(driverInfo, options), async (bmc) => {
          const on: SystemCall = { system: await findSystem(bmc, turn), bmc, turn };
          const folder = `${found.served}/${uuid}/`;
          const ours = (await mediaImages(on)).filter((image) => image.startsWith(folder));
          const isNewer = ours.some((image) => Number(image.slice(folder.length).split('/', 1)[0]) > attempt);
          if (!isNewer) await ejectImages([...ours, found.iso], on);
        }),
      );
    },
  };
}

const parametersAt = ({ served }: Images, uuid: string, attempt: number): string =>
  `${served}/${uuid}/${attempt}/${FILE}`;
