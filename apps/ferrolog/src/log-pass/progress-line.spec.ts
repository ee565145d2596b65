import { ProgressLine } from '.';

function shownOn(live: boolean, work: (line: ProgressLine, pass: (ms: number) => void) => void): string {
  let text = '';
  let now = 5_000;
  const write = (more: string): void => void (text += more);
  const terminal = { live, colour: false, width: () => 80, height: () => 24, write };
  work(new ProgressLine(terminal, () => now), (ms) => (now += ms));
  return text;
}

describe('the line that says how far it is', () => {
  it('is redrawn where it stands, not too often, and at the end in any case', () => {
    const text = shownOn(true, (line, pass) => {
      line.show('Order', 1, 200);
      line.show('Order', 2, 200);
      pass(100);
      line.show('Order', 100, 200);
      line.show('Order', 200, 200);
      line.clear();
    });
    expect(text.match(/\d+ of 200 events, \d+ %/g)).toEqual([
      '1 of 200 events, 0 %',
      '100 of 200 events, 50 %',
      '200 of 200 events, 100 %',
    ]);
  });

  it('comes every ten seconds where lines stay, and not at all of a quick pass', () => {
    const pass = (seconds: number) =>
      shownOn(false, (line, wait) => {
        for (let second = 1; second <= seconds; second += 1) {
          wait(1_000);
          line.show('Streams', second, seconds);
        }
        line.clear();
      });
    expect(pass(9)).toBe('');
    expect(pass(25)).toBe('Streams: 10 of 25 events, 40 %\nStreams: 20 of 25 events, 80 %\n');
  });
});
