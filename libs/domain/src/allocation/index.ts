/** What an allocation asks for, and which nodes answer it. */
export { inOrder, misfit, requestOf } from './matching';
export type { AllocationRequest, Candidate } from './matching';
