/** What an event means to the provision state machine, and how a change of state is told of. */
export { changeStatus, type ChangeStatus } from './status';
export { stateChanges, type StateChange } from './changes';
