/** The API described in OpenAPI 3.1, one document for each microversion, derived from the declarations of the resources. */
export { openApiDocument, type AuthStrategy, type OpenApiDocument } from './document';
export { faultSchemas } from './components';
export { minOf } from './gates';
export type { JsonSchema } from './json-schema';
export type { Operation } from './operation';
export { operations, operationsAt } from './operations';
