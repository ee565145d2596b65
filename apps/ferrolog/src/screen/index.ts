/** What a person sees: tables, colours, lines redrawn in place. Nothing here knows what it shows. */
export * from './counted';
export * from './live-area';
export * from './paint';
export * from './plain-text';
export * from './table';
export * from './terminal';
export * from './time-text';
export * from './width';
