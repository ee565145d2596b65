import type { BmcMachine } from '@lib/testing/redfish-bmc';
import { Bed } from './bed';

let bed: Bed;
afterEach(() => bed.close());

const ask = (question: Parameters<typeof bed.acts.ask>[1]) => bed.acts.ask(bed.machine(), question);
const state = async (indicator: string, component: string) => ask({ ask: 'indicator', indicator, component });
const act = (indicator: string, component: string, wanted: string) =>
  ({ act: 'set indicator', indicator, component, state: wanted }) as const;
const set = (indicator: string, component: string, wanted: string) =>
  bed.acts.carryOut(bed.machine(), act(indicator, component, wanted), bed.call);

describe('indicators', () => {
  const all = ['on', 'off', 'blinking'];

  it('are the lights of the system, its chassis and its drives', async () => {
    bed = await Bed.open();
    expect(await ask({ ask: 'indicators' })).toEqual({
      answer: [
        { name: '1@system', component: 'system', readonly: false, states: all },
        { name: '1@chassis', component: 'chassis', readonly: false, states: all },
        { name: '1@disk', component: 'disk', readonly: false, states: all },
        { name: '2@disk', component: 'disk', readonly: false, states: all },
      ],
    });
  });

  it('are none where the machine has no lights', async () => {
    bed = await Bed.open({ chassis: null, drives: null, odd: { IndicatorLED: undefined } });
    expect(await ask({ ask: 'indicators' })).toEqual({ answer: [] });
  });

  it.each<[string, Partial<BmcMachine>, string]>([
    ['1', {}, 'system'],
    ['1', {}, 'chassis'],
    ['2', {}, 'disk'],
    ['1', { locates: true }, 'chassis'],
  ])('%s of %j: the %s is lit and put out', async (indicator, machine, component) => {
    bed = await Bed.open(machine);
    expect(await state(indicator, component)).toEqual({ answer: 'off' });
    await set(indicator, component, 'on');
    expect(await state(indicator, component)).toEqual({ answer: 'on' });
    expect(bed.bmc.asked('PATCH').map(({ body }) => body)).toEqual([
      machine.locates ? { LocationIndicatorActive: true } : { IndicatorLED: 'Lit' },
    ]);
    await set(indicator, component, 'off');
    expect(await state(indicator, component)).toEqual({ answer: 'off' });
  });

  it('blink where they can', async () => {
    bed = await Bed.open();
    await set('1', 'system', 'blinking');
    expect(bed.bmc.machine().indicator).toBe('Blinking');
    expect(await state('1', 'system')).toEqual({ answer: 'blinking' });
    await bed.close();
    bed = await Bed.open({ locates: true });
    await expect(set('1', 'chassis', 'blinking')).rejects.toThrow('The indicator 1@chassis takes on, off.');
  });

  it('are unknown where the BMC says so', async () => {
    bed = await Bed.open({ indicator: 'Unknown' });
    expect(await state('1', 'system')).toEqual({ answer: 'unknown' });
  });

  it.each([
    ['9', 'system'],
    ['1', 'fan'],
  ])('%s@%s is none of them', async (indicator, component) => {
    bed = await Bed.open();
    expect(await state(indicator, component)).toEqual({
      problem: `The machine has no indicator ${indicator}@${component}.`,
    });
    await expect(set(indicator, component, 'on')).rejects.toThrow('has no indicator');
  });

  it('are checked before anything is asked of the BMC', async () => {
    bed = await Bed.open();
    const check = (one: ReturnType<typeof act>) => bed.acts.check(bed.machine(), one);
    expect(check(act('1', 'fan', 'on'))).toEqual({ problem: 'The machine has no indicator 1@fan.' });
    expect(check(act('1', 'system', 'red'))).toEqual({ problem: expect.stringContaining('on, off, blinking') });
    expect(check(act('1', 'system', 'on'))).toBeNull();
    expect(bed.bmc.requests).toEqual([]);
  });
});
