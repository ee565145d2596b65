/** Requests with an Idempotency-Key: one effect and one answer, however often they are sent. */
export { fingerprintOf } from './fingerprint';
export { requestIdOf } from './key';
export { answerOnce } from './keyed-requests';
