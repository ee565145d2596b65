import { nextState } from '../states';
import type { Fault, ProvisionState, Trigger } from '../states';
import type { WorkName } from './effects';

export type WorkInterface = 'power' | 'deploy' | 'rescue';

/** Lifecycle work that is no inspection: one mechanism, one row each. */
export interface Work {
  readonly work: WorkName;
  /** What starts it, from every state that the machine leads from to `running`. */
  readonly triggers: readonly Trigger[];
  readonly running: ProvisionState;
  /** Where the machine goes from `running` when it has ended well. */
  readonly done: Trigger;
  /** Where it leads, when that is not what the running state leads to by itself. */
  readonly target?: ProvisionState;
  /** Work that follows in the state that `done` leads to. */
  readonly next?: WorkName;
  /** The interface that carries it out. */
  readonly by: WorkInterface;
  /** Interfaces that must validate before anything changes. */
  readonly validated: readonly WorkInterface[];
  /** What a driver that is not ready for it is: the client's mistake (400), or ours (contract: node-api.md §10 step 17). */
  readonly ifInvalid: 'INVALID_PARAMETER' | 'VALIDATION_FAILED';
  /** Triggers that a protected node refuses (contract: node-api.md §10 step 17). */
  readonly protectedFrom: readonly Trigger[];
  readonly inMaintenance: 'allowed' | 'as the settings say' | 'refused';
  /** How a failure of it is spoken of, also when it is aborted or nobody calls back. */
  readonly failure: string;
  /** Set with maintenance when it fails, as its machine is in no known condition (contract: node-api.md §1, fault). Absent: none. */
  readonly fault?: Fault;
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
    ifInvalid: 'INVALID_PARAMETER',
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
    ifInvalid: 'INVALID_PARAMETER',
    protectedFrom: [],
    inMaintenance: 'as the settings say',
    failure: 'Automated cleaning failed',
    fault: 'clean failure',
    historyType: 'provisioning',
  },
  deploy: {
    work: 'deploy',
    triggers: ['deploy', 'rebuild'],
    running: 'deploying',
    done: 'done',
    by: 'deploy',
    validated: ['power', 'deploy'],
    ifInvalid: 'VALIDATION_FAILED',
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
    ifInvalid: 'VALIDATION_FAILED',
    protectedFrom: ['delete'],
    inMaintenance: 'allowed',
    failure: 'Failed to tear down the node',
    historyType: 'unprovision',
  },
  'manual clean': {
    work: 'manual clean',
    triggers: ['clean'],
    running: 'cleaning',
    done: 'manage',
    target: 'manageable',
    by: 'deploy',
    validated: ['power'],
    ifInvalid: 'INVALID_PARAMETER',
    protectedFrom: [],
    inMaintenance: 'refused',
    failure: 'Manual cleaning failed',
    fault: 'clean failure',
    historyType: 'provisioning',
  },
  adopt: {
    work: 'adopt',
    triggers: ['adopt'],
    running: 'adopting',
    done: 'done',
    by: 'deploy',
    validated: [],
    ifInvalid: 'INVALID_PARAMETER',
    protectedFrom: [],
    inMaintenance: 'allowed',
    failure: 'Failed to adopt the node',
    historyType: 'adoption',
  },
  rescue: {
    work: 'rescue',
    triggers: ['rescue'],
    running: 'rescuing',
    done: 'done',
    by: 'rescue',
    validated: ['power', 'rescue'],
    ifInvalid: 'VALIDATION_FAILED',
    protectedFrom: [],
    inMaintenance: 'refused',
    failure: 'Failed to rescue the node',
    historyType: 'provisioning',
  },
  unrescue: {
    work: 'unrescue',
    triggers: ['unrescue'],
    running: 'unrescuing',
    done: 'done',
    by: 'rescue',
    validated: ['power', 'rescue'],
    ifInvalid: 'VALIDATION_FAILED',
    protectedFrom: [],
    inMaintenance: 'refused',
    failure: 'Failed to unrescue the node',
    historyType: 'provisioning',
  },
  service: {
    work: 'service',
    triggers: ['service'],
    running: 'servicing',
    done: 'done',
    by: 'deploy',
    validated: ['power'],
    ifInvalid: 'INVALID_PARAMETER',
    protectedFrom: [],
    inMaintenance: 'refused',
    failure: 'Servicing failed',
    fault: 'service failure',
    historyType: 'provisioning',
  },
};

export const workFor = (state: ProvisionState, trigger: string): Work | undefined =>
  Object.values(works).find(
    ({ triggers, running }) => triggers.some((one) => one === trigger) && nextState(state, trigger) === running,
  );

/** What a failure of the work itself leaves on its node, as its event tells. */
export const blamed = (name: WorkName): { readonly fault?: Fault } => {
  const { fault } = works[name];
  return fault === undefined ? {} : { fault };
};
