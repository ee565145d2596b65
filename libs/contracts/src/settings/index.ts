/** The settings: one declaration per option; types, checks and documentation come from it. */
export { crossWarnings, hardwareProblems, hooksInForce } from './cross-checks';
export { type DeclaredOption, type Settings, declaredOptions, sections } from './declaration';
export { differenceTable, optionTables } from './document';
export {
  type InterfaceType,
  interfaceTypes,
  knownHardwareTypes,
  knownInterfaces,
  shippedInterfaces,
} from './hardware-names';
export { type Machine, type Option, type OptionType, type ServiceName, serviceNames } from './option';
export { type RawValue, type ReadSettings, readSettings } from './read';
export { NOTIFICATION_TOPICS_MAX } from './sections/default';
export { LONGEST_WAIT_S } from './sections/conductor';
export type { Delay, Weights } from './words';
