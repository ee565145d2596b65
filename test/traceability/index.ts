/** The rows of the founding documents and the tests that show them; docs/traceability.md is made of both. */
export { tracePage } from './page';
export { tagsIn, type Tagged } from './tags';
export { problems, shownRows, type Row, type Shown } from './trace';
