/** What booted ramdisks call; public routes. contract: other-resources.md §3-5, ramdisk.md §3-5 */
export * from './continue-inspection';
export * from './heartbeat';
export * from './look-up';
