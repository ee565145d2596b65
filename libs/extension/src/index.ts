/** The door for packages that add hardware types or interfaces: types, and the number of this interface (docs/extending.md). */
export { EXTENSION_API_VERSION } from '@lib/ports';
export type {
  ActingInterface,
  BootInterface,
  Call,
  ContributedInspect,
  ContributedInterfaces,
  Contribution,
  Extension,
  ExtensionHost,
  InspectResult,
  InspectionSupport,
  IntrospectionReport,
  LifecycleInterface,
  Machine,
  ManagementInterface,
  NetworkInterface,
  PartsInterface,
  PowerInterface,
  RaidInterface,
  TakeStep,
  WaitEnding,
} from '@lib/ports';
export type { AddedHardwareType, InspectInterfaceFacts } from '@lib/domain';
