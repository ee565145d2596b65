/** The laws of a node's history, for those who play whole systems and want to know after every event whether they hold. */
export { brokenLaws, brokenStep, endingsOf, waitSeconds } from '../node/spec';
