/** A node's recorded events: where they come from, and how they are told. */
export * from './shown-event';
export * from './sources';
export * from './words';
