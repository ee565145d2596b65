export { RamdiskHttp } from './ramdisk-http';
