import { containStrayErrors, loadExtensions } from '@lib/adapters/extensions';
import { openHardwareRegistry } from '@lib/adapters/hardware-registry';
import { SettingsError } from '@lib/adapters/settings-file';
import type { LoadedSettings } from '@lib/adapters/settings-file';
import { systemChance, systemClock } from '@lib/adapters/system-clock';
import { crossWarnings, hardwareProblems } from '@lib/contracts/settings';
import { hardwareTypes as shipped } from '@lib/domain';
import type { HardwareTypes } from '@lib/domain';
import type { HardwareRegistry, Logger, MessageBus } from '@lib/ports';
import { discoveredNodesProblem } from './discovered-nodes';
import { hardwareOptions } from './options';
import type { Stopper } from './stopper';

/** What a conductor knows of hardware. */
export interface Hardware {
  readonly hardware: HardwareRegistry;
  readonly hardwareTypes: HardwareTypes;
  readonly reporting: readonly string[];
}

/** The interfaces that ship and those of `[DEFAULT] extensions`. Rejects with SettingsError when one of these can not be used. */
export async function openHardware(
  loaded: LoadedSettings,
  bus: MessageBus,
  logger: Logger,
  stopper: Stopper,
): Promise<Hardware> {
  const { settings, runtime } = loaded;
  const host = { clock: systemClock, chance: systemChance, logger };
  const { extensions: names } = settings.DEFAULT;
  const extensions = await loadExtensions(names, host, process.cwd());
  stopper.add(() => extensions.stop());
  stopper.add(containStrayErrors(extensions.folders, logger));
  const { types, interfaces } = extensions;
  const problems = hardwareProblems(settings, types);
  if (problems.length > 0) throw new SettingsError(problems);
  const added = new Map([...types].filter(([name]) => !shipped.has(name)));
  for (const warning of crossWarnings(settings, added)) logger.warn({}, warning);
  if (names.length > 0) logger.info({ extensions: names, hardwareTypes: [...added.keys()] }, 'extensions are loaded');
  const hardware = openHardwareRegistry({
    ...host,
    bus,
    prefix: runtime.busPrefix,
    settings: hardwareOptions(loaded),
    extensions: interfaces,
  });
  const problem = discoveredNodesProblem(settings, types, hardware);
  if (problem !== null) throw new SettingsError([problem]);
  return { hardware, hardwareTypes: types, reporting: interfaces.reporting };
}
