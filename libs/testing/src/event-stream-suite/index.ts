export { anEventStream, type StreamedEvent, type StreamSite } from './event-stream-suite';
