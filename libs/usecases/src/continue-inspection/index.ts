export * from './continue-inspection';
export { DataRefused, keepRefused } from './keep-refused';
