export { postAsRamdisk } from './post-as-ramdisk';
