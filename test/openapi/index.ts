/** Holds answers against the description of the API. */
export { answerProblems, type Exchange } from './answer-problems';
