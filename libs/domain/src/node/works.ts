import type { ProvisionState, Trigger } from '../states';
import type { WorkName } from './effects';

/** Lifecycle work that is no inspection: one mechanism, one row each. */
export interface Work {
  readonly work: WorkName;
  /** What starts it and the state it starts from. */
  readonly trigger: Trigger;
  readonly from: ProvisionState;
  readonly running: ProvisionState;
  /** How a failure of it is spoken of. */
  readonly failure: string;
  /** Type of its history entries (contract: node-api.md §18). */
  readonly historyType: string;
}

export const works: Readonly<Record<WorkName, Work>> = {
  verify: {
    work: 'verify',
    trigger: 'manage',
    from: 'enroll',
    running: 'verifying',
    failure: 'Failed to verify the node',
    historyType: 'verify',
  },
  clean: {
    work: 'clean',
    trigger: 'provide',
    from: 'manageable',
    running: 'cleaning',
    failure: 'Automated cleaning failed',
    historyType: 'provisioning',
  },
};

export const workFor = (state: ProvisionState, trigger: string): Work | undefined =>
  Object.values(works).find((work) => work.from === state && work.trigger === trigger);
