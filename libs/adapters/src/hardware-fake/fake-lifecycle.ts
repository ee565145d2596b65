import type { WorkName, WorkStep } from '@lib/domain';
import type { LifecycleInterface } from '@lib/ports';
import { playPiece } from './fake-piece';

/** Does at once what it is asked, and touches nothing. */
const fakeLifecycle = (
  works: readonly WorkName[],
  steps: Partial<Record<WorkName, WorkStep[]>>,
): LifecycleInterface => ({
  works,
  validate: () => null,
  ownSteps: (work) => steps[work] ?? [],
  work: playPiece,
});

/** As if there were disks: what tells of their contents goes first. */
const erasing: WorkStep[] = [
  { interface: 'deploy', step: 'erase_devices', args: {}, priority: 10 },
  { interface: 'deploy', step: 'erase_devices_metadata', args: {}, priority: 99 },
  { interface: 'deploy', step: 'burnin_memory', args: {}, priority: 0 },
];

const deployment: WorkStep = { interface: 'deploy', step: 'deploy', args: {}, priority: 100 };

export const fakeDeploy = fakeLifecycle(['clean', 'manual clean', 'deploy', 'tear down', 'adopt', 'service'], {
  deploy: [deployment],
  clean: erasing,
});
export const fakeRescue = fakeLifecycle(['rescue', 'unrescue'], {});
