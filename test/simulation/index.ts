/** The whole system in one process, from a seed: `SEED=n npm run simulate`. */
export { simulate, type Outcome } from './simulate';
