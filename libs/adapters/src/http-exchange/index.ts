export { exchangeOnce, HttpConnections } from './http-connections';
export type { HttpAsk } from './http-connections';
export type { Circumstances, HttpAnswer, Patience } from './exchange';
export { NoAnswer, reasonIn } from './no-answer';
export type { Tls, Way } from './way';
