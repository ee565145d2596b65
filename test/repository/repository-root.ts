import { resolve } from 'node:path';

export const repositoryRoot = resolve(__dirname, '../..');
