export { corsHeaders, preflight } from './cors';
