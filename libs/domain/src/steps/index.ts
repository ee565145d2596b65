/** Steps of cleaning, deployment, service and runbooks: their shape, their order, and those that every interface knows. */
export * from './order';
export * from './reserved';
export * from './shape';
