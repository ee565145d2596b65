export { openStateFile, type StateFile } from './state-file';
