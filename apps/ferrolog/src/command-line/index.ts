/** What all commands share towards the shell: exit codes, values of options, output. */
export * from './exit-code';
export * from './output';
export * from './values';
