export { MemoryBusHub } from './memory-bus-hub';
