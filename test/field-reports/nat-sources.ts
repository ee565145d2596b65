import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { REPOSITORY } from '../stack';

/** Paths of what the services are made of, specs left out. */
export const sourceFiles = (): string[] =>
  ['apps', 'libs'].flatMap((top) =>
    readdirSync(join(REPOSITORY, top), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts'))
      .map((entry) => relative(REPOSITORY, join(entry.parentPath, entry.name))),
  );
