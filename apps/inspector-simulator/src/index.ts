/** The door of the inspector-simulator: an ironic-inspector with its ramdisks, over REST and over the bus. */
export {
  defaultInspectorOptions,
  type InspectorSimulator,
  type InspectorSimulatorDeps,
  type InspectorSimulatorSettings,
  startInspectorSimulator,
} from './start-inspector-simulator';
export { inspectorOptionsFrom } from './options-from-settings';
