import { randomInt } from 'node:crypto';
import { Api, startStack, type Layout, type Stack } from '../stack';
import { planRound } from './plan';
import { describeFight, endingsOf, ENDINGS, judgeFight } from './referee';
import { Ring } from './ring';

/**
 * Abort, callback, timeout, delete and maintenance in the same milliseconds, on the real stack.
 * RACE_ROUNDS (100), RACE_SEED (drawn and printed), RACE_ROUND (only this one), RACE_LAYOUT (services, up, single).
 */
const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const rounds = number('RACE_ROUNDS', 100);
const seed = number('RACE_SEED', randomInt(2 ** 31));
const only = process.env['RACE_ROUND'];
const layout = (process.env['RACE_LAYOUT'] ?? 'services') as Layout;
const numbers = only === undefined ? Array.from({ length: rounds }, (_, index) => index) : [Number(only)];

const AT_ONCE = 6;
const START_TIMEOUT_MS = 240_000;
const timeoutMs = 120_000 + rounds * 6_000;

describe('the same milliseconds', () => {
  let stack: Stack | undefined;

  beforeAll(async () => {
    process.stdout.write(`race: ${numbers.length} rounds, RACE_SEED=${seed}\n`);
    const settings = {
      DEFAULT: { enabled_inspect_interfaces: 'inspector, fake, no-inspect' },
      conductor: { inspect_wait_timeout: '1800', automated_clean: 'false' },
      inspector: { status_check_period: '1', require_managed_boot: 'false' },
    };
    stack = await startStack({ settings, layout });
  }, START_TIMEOUT_MS);

  afterAll(async () => void (await stack?.stop()), 60_000);

  it(
    'every attempt has exactly one ending, and no answer contradicts it',
    async () => {
      if (stack === undefined) throw new Error('no stack');
      const ring = new Ring(new Api(stack.apiUrl), stack.inspectorUrl);
      const endings = new Map<string, number>();
      const unfair: string[] = [];
      const waiting = [...numbers];
      const worker = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const fight = await ring.fight(planRound(seed, next));
          for (const ending of endingsOf(fight)) endings.set(ending, (endings.get(ending) ?? 0) + 1);
          const complaints = judgeFight(fight);
          if (complaints.length > 0) unfair.push(describeFight(fight, complaints));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      const tally = Object.keys(ENDINGS).map((ending) => `${ending} ${endings.get(ending) ?? 0}`);
      process.stdout.write(`race: ${tally.join(', ')}\n`);
      expect(unfair.join('\n')).toBe('');
      if (numbers.length < 100) return;
      // A race that one side always wins is none.
      for (const ending of ['InspectionFinished', 'InspectionTimedOut', 'InspectionAborted', 'InspectionRemoved']) {
        expect([ending, endings.get(ending) ?? 0]).not.toEqual([ending, 0]);
      }
    },
    timeoutMs,
  );
});
