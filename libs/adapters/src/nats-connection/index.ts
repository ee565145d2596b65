export { BrokerConnection, type BrokerOptions } from './broker-connection';
export { type BrokerAddress, parseBrokerUrl } from './broker-url';
