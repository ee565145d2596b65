/** A client of the Bare Metal API, for the commands that work against a running server. */
export { BareMetal, type BareMetalOptions, type ShownDeadline, type ShownNode } from './bare-metal';
export { ApiFault, NoAnswer, request } from './request';
export { addApiOption, connectTo, type ApiOption } from './api-option';
