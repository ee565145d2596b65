import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of the repository, wherever a script was called from. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
