/** Inspection rules over what the hooks left: which there are, what they make of the node, and the calls that they ask for. */
export { runInspectionRules } from './run';
export type { Ruled, RulesDeps } from './run';
