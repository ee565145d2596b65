export { listDrivers, showDriver, showDriverProperties, showRaidProperties } from './drivers';
export { driverVendorHandlers } from './vendor';
