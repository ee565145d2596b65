export { startApi } from '@app/api';
