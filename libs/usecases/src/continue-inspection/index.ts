export * from './continue-inspection';
