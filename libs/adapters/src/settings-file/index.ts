/** Settings from an INI file and the environment. */
export { type Environment, variableOf } from './environment';
export { type LoadedSettings, SettingsError, loadSettings } from './load';
export { type Runtime, runtimeVariables } from './runtime';
