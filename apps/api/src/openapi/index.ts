export { describeApi, OPENAPI_PATH } from './describe-api';
