export { exchangeOnce, HttpConnections } from './http-connections';
export type { HttpAsk, Tls, Way } from './http-connections';
export type { Circumstances, HttpAnswer, Patience } from './exchange';
export { NoAnswer, reasonIn } from './no-answer';
