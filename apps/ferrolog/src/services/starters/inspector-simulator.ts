import { systemChance, systemClock } from '@lib/adapters/system-clock';
import { startInspectorSimulator } from '@app/inspector-simulator';
import { apiAddress } from '../addresses';
import { simulatorOptions } from '../options';
import { portTaken, portVariables } from '../port-taken';
import { tellReady } from './context';
import type { StartService } from './context';

export const start: StartService = async (context) => {
  const { loaded, bus, logger, stopper } = context;
  const simulator = await startInspectorSimulator({
    settings: simulatorOptions(loaded, apiAddress(loaded)),
    bus,
    clock: systemClock,
    chance: systemChance,
    logger,
  }).catch(portTaken(portVariables['inspector-simulator']));
  stopper.add(() => simulator.stop());
  await tellReady(context, 'inspector-simulator', () => []);
  return simulator.url;
};
