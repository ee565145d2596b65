/** The rules of plain resources beyond created, changed, removed (`resource`): one object of three functions for each kind. */
export { allocationRules } from './allocation';
export { inspectionRuleRules } from './inspection-rule';
export {
  checkLogicalName,
  checkNodeName,
  isDotSegment,
  isReservedNodeName,
  isTrait,
  nodeSubCollections,
} from './names';
export { portRules } from './port';
export { portgroupRules } from './portgroup';
export { noRules } from './rules';
export type { PlainContext, PlainRules } from './rules';
export { deployTemplateRules, runbookRules } from './step-lists';
export { volumeRules } from './volume';
