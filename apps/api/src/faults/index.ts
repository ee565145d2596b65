export * from './api-fault';
export * from './fault-body';
export * from './refusal-status';
