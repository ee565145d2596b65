/** What a booted ramdisk tells of itself, and which node that is (contract: inspection.md §6.3). */
export * from './addresses';
export * from './find-node';
