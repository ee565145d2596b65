import { nextState } from '../states';
import type { ProvisionState, Trigger } from '../states';
import type { WorkName } from './effects';

/** Lifecycle work that is no inspection: one mechanism, one row each. */
export interface Work {
  readonly work: WorkName;
  /** What starts it, from every state that the machine leads from to `running`. */
  readonly triggers: readonly Trigger[];
  readonly running: ProvisionState;
  /** Where the machine goes from `running` when it has ended well. */
  readonly done: Trigger;
  /** Work that follows in the state that `done` leads to. */
  readonly next?: WorkName;
  /** The interface that carries it out. */
  readonly by: 'power' | 'deploy';
  /** Interfaces that must validate before anything changes. */
  readonly validated: readonly ('power' | 'deploy')[];
  /** Triggers that a protected node refuses (contract: node-api.md §10 step 17). */
  readonly protectedFrom: readonly Trigger[];
  readonly inMaintenance: 'allowed' | 'as the settings say' | 'refused';
  /** How a failure of it is spoken of. */
  readonly failure: string;
  /** Type of its history entries (contract: node-api.md §18). */
  readonly historyType: string;
}

export const works: Readonly<Record<WorkName, Work>> = {
  verify: {
    work: 'verify',
    triggers: ['manage'],
    running: 'verifying',
    done: 'done',
    by: 'power',
    validated: [],
    protectedFrom: [],
    inMaintenance: 'allowed',
    failure: 'Failed to verify the node',
    historyType: 'verify',
  },
  clean: {
    work: 'clean',
    triggers: ['provide'],
    running: 'cleaning',
    done: 'done',
    by: 'deploy',
    validated: [],
    protectedFrom: [],
    inMaintenance: 'as the settings say',
    failure: 'Automated cleaning failed',
    historyType: 'provisioning',
  },
  deploy: {
    work: 'deploy',
    triggers: ['deploy', 'rebuild'],
    running: 'deploying',
    done: 'done',
    by: 'deploy',
    validated: ['power', 'deploy'],
    protectedFrom: ['rebuild'],
    inMaintenance: 'refused',
    failure: 'Failed to deploy instance',
    historyType: 'provisioning',
  },
  'tear down': {
    work: 'tear down',
    triggers: ['delete'],
    running: 'deleting',
    done: 'clean',
    next: 'clean',
    by: 'deploy',
    validated: ['power'],
    protectedFrom: ['delete'],
    inMaintenance: 'allowed',
    failure: 'Failed to tear down the node',
    historyType: 'unprovision',
  },
};

export const workFor = (state: ProvisionState, trigger: string): Work | undefined =>
  Object.values(works).find(
    ({ triggers, running }) => triggers.some((one) => one === trigger) && nextState(state, trigger) === running,
  );
