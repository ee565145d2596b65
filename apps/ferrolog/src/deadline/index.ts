/** ferrolog deadline: how long a node waits, and an operator's word on that. */
export { addDeadlineCommand } from './command';
