export { BareMetalHttp } from './bare-metal-http';
