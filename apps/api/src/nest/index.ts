export * from './api.module';
export * from './fastify';
