/** Ramdisks of nodes with the interface `agent`: they look up, beat and post to the Bare Metal API itself, after a script. */
export * from './host';
export * from './ramdisk-script';
export * from './simulated-ramdisks';
