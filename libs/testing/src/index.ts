export * from './broker';
export * from './event-stream-suite';
export * from './manual-clock';
export * from './message-bus-suite';
export * from './specify';
