/** The tables beside the log made anew from its events. */
export * from './rebuild-read-model';
