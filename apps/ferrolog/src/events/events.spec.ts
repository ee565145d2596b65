import { NoAnswer } from '../bare-metal';
import type { ShownEvent } from '../node-events';
import { painter } from '../screen';
import { follow } from './follow';
import { eventLines } from './render';

const event = (version: number): ShownEvent => ({
  position: version,
  version,
  type: 'MaintenanceSet',
  schema: 1,
  data: { at: 0, reason: `reason ${version}` },
  meta: { source: 'conductor/h' },
  recorded_at: '2026-11-30T12:00:00.000000+00:00',
});

describe('events as lines', () => {
  it('have time, version, by whom, what and details', () => {
    const lines = eventLines([event(1)], { paint: painter(false), width: null });
    expect(lines[1]).toBe('12:00:00.000  1  conductor/h  maintenance set  reason 1');
  });
});

describe('following', () => {
  it('hands on each event once, also across a server that is away, and says that once', async () => {
    const log = [event(1), event(2)];
    const answers = ['answer', 'away', 'away', 'answer', 'answer'];
    const seen: number[] = [];
    const said: string[] = [];
    let stop: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    const events = async (_node: string, after: number): Promise<readonly ShownEvent[]> => {
      const answer = answers.shift();
      if (answer === undefined) stop();
      if (answer === 'away') throw new NoAnswer('http://h does not answer');
      if (answers.length === 1) log.push(event(3));
      return log.filter(({ version }) => version > after);
    };
    const options = {
      source: { events },
      node: 'n',
      after: 1,
      stop: stopped,
      say: (line: string) => void said.push(line),
      periodMs: 1,
    };
    await follow(options, (more) => void seen.push(...more.map(({ version }) => version)));
    expect(seen).toEqual([2, 3]);
    expect(said).toEqual(['http://h does not answer; asking again', 'There is an answer again.']);
  });

  it('ends with what is no absence', async () => {
    const events = (): Promise<never> => Promise.reject(new Error('broken'));
    const never = new Promise<void>(() => undefined);
    const options = { source: { events }, node: 'n', after: 0, stop: never, say: () => undefined, periodMs: 1 };
    await expect(follow(options, () => undefined)).rejects.toThrow('broken');
  });
});
