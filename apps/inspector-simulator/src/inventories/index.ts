import type { InventoryTemplate } from '@lib/domain/introspection';
import infiniband from './infiniband.json';
import large from './large.json';
import small from './small.json';
import vm from './vm.json';

/** Callback bodies of four machines with invented values (contract: ramdisk.md §7); a scripted node gets one, with its own MACs. */
export const inventories: readonly InventoryTemplate[] = [
  { name: 'small', payload: small },
  { name: 'large', payload: large },
  { name: 'infiniband', payload: infiniband },
  { name: 'vm', payload: vm },
];
