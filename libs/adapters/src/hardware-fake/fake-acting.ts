import { indicatorName, raidConfigProblem, urlWithoutCredentials } from '@lib/domain';
import type { ActName } from '@lib/domain';
import type { Call, Machine, RaidInterface } from '@lib/ports';
import { actingInterface } from '../hardware-acting';
import { failureIn, scriptUnder } from './fake-script';
import { createRaid, deleteRaid, fakeSteps } from './fake-steps';

const valid = () => null;

/** Touches nothing; fails where the node's script says so, by the name of the act. */
async function pretend(machine: Machine, act: { readonly act: ActName }, call: Call): Promise<undefined> {
  await call.stillStands();
  const failure = failureIn(scriptUnder(machine, act.act));
  if (failure !== null) throw new Error(failure);
  return undefined;
}

/** A console that leads nowhere: it is on or off, and there is nothing to tell of it. */
export const fakeConsole = actingInterface('fake', valid, {
  acts: { 'set console': { run: pretend } },
  questions: { console: () => ({ answer: {} }) },
});

interface Indicator {
  readonly readonly: boolean;
  readonly states: readonly string[];
  /** Until it is set. */
  readonly initially: string;
}

const indicators: Readonly<Record<string, Readonly<Record<string, Indicator>>>> = {
  chassis: {
    locator: { readonly: false, states: ['on', 'off', 'blinking'], initially: 'off' },
    alarm: { readonly: true, states: ['on', 'off'], initially: 'off' },
  },
  system: { led: { readonly: false, states: ['on', 'off'], initially: 'off' } },
};

const indicatorOf = (component: string, indicator: string): Indicator | undefined =>
  Object.hasOwn(indicators, component) && Object.hasOwn(indicators[component] ?? {}, indicator)
    ? indicators[component]?.[indicator]
    : undefined;

const unknownIndicator = (component: string, indicator: string): string =>
  `The machine has no indicator ${indicatorName(indicator, component)}.`;

const listed = Object.entries(indicators).flatMap(([component, all]) =>
  Object.entries(all).map(([indicator, { readonly, states }]) => ({
    name: indicatorName(indicator, component),
    component,
    readonly,
    states,
  })),
);

/** Media as the types of device that they are put into call them. */
const mediaTypesOf: Readonly<Record<string, readonly string[]>> = {
  cdrom: ['CD', 'DVD'],
  disk: ['USBStick'],
  floppy: ['Floppy'],
};

/** Remembers what it was told (contract: node-api.md §12, §13, §21). */
export const fakeManagementActs = actingInterface('fake', valid, {
  acts: {
    'set boot mode': { run: pretend },
    'set secure boot': { run: pretend },
    'inject nmi': { run: pretend },
    'set indicator': {
      check: (_machine, { component, indicator, state }) => {
        const known = indicatorOf(component, indicator);
        if (!known) return unknownIndicator(component, indicator);
        if (known.readonly) return `The indicator ${indicatorName(indicator, component)} can only be read.`;
        return known.states.includes(state)
          ? null
          : `Invalid indicator state ${state}: ${indicatorName(indicator, component)} takes ${known.states.join(', ')}.`;
      },
      run: pretend,
    },
    'attach media': { run: pretend },
    'detach media': { run: pretend },
  },
  questions: {
    indicators: () => ({ answer: listed }),
    indicator: ({ managed }, { component, indicator }) => {
      const known = indicatorOf(component, indicator);
      if (!known) return { problem: unknownIndicator(component, indicator) };
      return { answer: managed.indicators[indicatorName(indicator, component)] ?? known.initially };
    },
    media: ({ managed }) => ({
      answer: managed.media.map(({ deviceType, imageUrl }) => ({
        media_types: mediaTypesOf[deviceType] ?? [],
        inserted: true,
        image: urlWithoutCredentials(String(imageUrl)),
      })),
    }),
  },
});

const method = (async: boolean, exclusive: boolean, description: string) => ({
  httpMethods: ['POST'],
  async,
  exclusive,
  description,
});

const methods = {
  second_method: method(true, true, 'Does nothing, later, and holds the node meanwhile.'),
  third_method_sync: method(false, true, 'Does nothing at once, and tells whether an argument bar was given.'),
  fourth_method_shared_lock: method(true, false, 'Does nothing, later, beside whatever else goes on.'),
};

const hasBar = (args: unknown): boolean => typeof args === 'object' && args !== null && 'bar' in args;

/** contract: node-api.md §22 */
export const fakeVendor = actingInterface('fake', valid, {
  vendorMethods: methods,
  acts: {
    'call vendor method': {
      run: async (machine, act, call) => {
        await pretend(machine, act, call);
        return act.method === 'third_method_sync' ? hasBar(act.args) : undefined;
      },
    },
  },
});

export const fakeRaid: RaidInterface = {
  validate: valid,
  checkConfig: (_machine, config) => raidConfigProblem(config),
  takeStep: fakeSteps({ create_configuration: createRaid, delete_configuration: deleteRaid }),
};
