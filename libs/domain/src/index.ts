export * from './refusal';
export * from './states';
