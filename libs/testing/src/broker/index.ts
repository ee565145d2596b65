export { type Broker, type BrokerSettings, natsServerPath, startBroker } from './broker';
