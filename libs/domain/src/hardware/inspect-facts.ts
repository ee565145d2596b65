import type { InspectInterfaceFacts } from '../node/commands';

const facts = (name: string, rest: Partial<InspectInterfaceFacts> = {}): InspectInterfaceFacts => ({
  name,
  abort: false,
  powerOff: 'never',
  startsIntrospection: false,
  takesData: false,
  ...rest,
});

/** The interfaces that ship (contract: inspection.md §3.3, §4.4). Anything else inherits the base interface's refusals. */
const shipped: ReadonlyMap<string, InspectInterfaceFacts> = new Map(
  [
    facts('inspector', { abort: true, powerOff: 'on timeout or managed boot', startsIntrospection: true }),
    facts('agent', { abort: true, powerOff: 'always', takesData: true }),
    facts('fake'),
    facts('no-inspect'),
    facts('redfish'),
  ].map((one) => [one.name, one]),
);

export const inspectFacts = (name: string): InspectInterfaceFacts => shipped.get(name) ?? facts(name);
