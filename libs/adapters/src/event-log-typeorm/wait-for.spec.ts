import { waitFor } from './wait-for';

const MUCH_MS = 60_000;

describe('waiting for a database', () => {
  let tries: number;
  let told: string[];
  const sentence = (why: string) => `The log cannot be opened (${why}).`;
  const opensAt = (last: number) => async (): Promise<string> => {
    tries += 1;
    if (tries < last) throw new Error(`try ${tries}`);
    return 'open';
  };
  const tell = (line: string) => void told.push(line);

  beforeEach(() => {
    [tries, told] = [0, []];
  });

  it('tells once what is waited for when it takes long', async () => {
    expect(await waitFor(opensAt(4), MUCH_MS, sentence, tell, 0)).toBe('open');
    expect(told).toEqual(['The log cannot be opened (try 1).']);
  });

  it('tells nothing of a moment', async () => {
    expect(await waitFor(opensAt(3), MUCH_MS, sentence, tell, MUCH_MS)).toBe('open');
    expect(told).toEqual([]);
  });

  it('gives up with the last reason, which the rejection alone tells', async () => {
    await expect(waitFor(opensAt(9), 0, sentence, tell, 0)).rejects.toThrow('The log cannot be opened (try 1).');
    expect(told).toEqual([]);
  });
});
