import { indicatorName } from '@lib/domain';
import type { JsonObject } from '@lib/domain';
import { HardwareError } from './hardware-error';
import { Reader } from './reader';
import type { SystemCall } from './system';
import { objectIn, pathIn, textIn } from './wire';

/** Whose light it is; named `<Id of the resource>@<component>` (contract: node-api.md §13). */
const components = ['system', 'chassis', 'disk'] as const;
type Component = (typeof components)[number];

export const isComponent = (name: string): name is Component => components.some((one) => one === name);

/** The states of a light by the API's names, and as Redfish has them. */
const states: Readonly<Record<string, string>> = { on: 'Lit', off: 'Off', blinking: 'Blinking' };
export const indicatorStates: readonly string[] = Object.keys(states);

/** Newer BMCs have a light that shows where something is, which is on or off. */
const LOCATION = 'LocationIndicatorActive';
const LED = 'IndicatorLED';

interface Indicator {
  readonly name: string;
  readonly component: Component;
  readonly path: string;
  readonly document: JsonObject;
}

const isLocation = ({ document }: Indicator): boolean => typeof document[LOCATION] === 'boolean';
const hasLight = (one: Indicator): boolean => isLocation(one) || typeof one.document[LED] === 'string';

async function resourcesOf(component: Component, { system, bmc, turn }: SystemCall): Promise<readonly JsonObject[]> {
  const reader = new Reader(bmc, turn);
  switch (component) {
    case 'system':
      return [{ '@odata.id': system.path, ...system.document }];
    case 'chassis':
      return reader.each(objectIn(system.document, 'Links')['Chassis']);
    case 'disk': {
      const units = (await reader.members(system.document['Storage'])) ?? [];
      return (await Promise.all(units.map((unit) => reader.each(unit['Drives'])))).flat();
    }
  }
}

async function indicatorsOf(component: Component, call: SystemCall): Promise<readonly Indicator[]> {
  const found = (await resourcesOf(component, call)).flatMap((document): Indicator[] => {
    const [path, id] = [pathIn(document), textIn(document, 'Id')];
    return path === null || id === null ? [] : [{ name: indicatorName(id, component), component, path, document }];
  });
  return found.filter(hasLight);
}

const statesOf = (one: Indicator): readonly string[] => (isLocation(one) ? ['on', 'off'] : indicatorStates);

export async function indicatorsShown(call: SystemCall): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for (const one of components) {
    for (const indicator of await indicatorsOf(one, call)) {
      const { name, component } = indicator;
      found.push({ name, component, readonly: false, states: statesOf(indicator) });
    }
  }
  return found;
}

/** Null: there is no such indicator. */
async function find(indicator: string, component: string, call: SystemCall): Promise<Indicator | null> {
  const all = isComponent(component) ? await indicatorsOf(component, call) : [];
  return all.find(({ name }) => name === indicatorName(indicator, component)) ?? null;
}

/** Null: there is no such indicator. */
export async function indicatorState(indicator: string, component: string, call: SystemCall): Promise<string | null> {
  const one = await find(indicator, component, call);
  if (!one) return null;
  if (isLocation(one)) return one.document[LOCATION] === true ? 'on' : 'off';
  return indicatorStates.find((state) => states[state] === one.document[LED]) ?? 'unknown';
}

export async function setIndicator(
  indicator: string,
  component: string,
  state: string,
  call: SystemCall,
): Promise<void> {
  const one = await find(indicator, component, call);
  if (!one) throw new HardwareError(unknownIndicator(indicator, component));
  const taken = statesOf(one);
  if (!taken.includes(state)) throw new HardwareError(`The indicator ${one.name} takes ${taken.join(', ')}.`);
  const wanted = isLocation(one) ? { [LOCATION]: state === 'on' } : { [LED]: states[state] };
  const { etag } = await call.bmc.get(one.path, call.turn);
  await call.bmc.patch(one.path, wanted, call.turn, etag);
}

export const unknownIndicator = (indicator: string, component: string): string =>
  `The machine has no indicator ${indicatorName(indicator, component)}.`;
