/** Bodies of collections. */
import { closed, listOf, ref, uri, type JsonSchema } from './json-schema';

/** Under its key, with the address of the next page where there may be one. */
export const page = (key: string, items: JsonSchema): JsonSchema =>
  closed({ [key]: listOf(items), next: uri }, ['next']);

/** Items of which a request may have chosen the fields. */
export const chosen = (key: string, name: string): JsonSchema => page(key, ref(`${name}Fields`));
/** Items with all that the version shows. */
export const full = (key: string, name: string): JsonSchema => page(key, ref(name));
