export { startInspectorSimulator } from '@app/inspector-simulator';
