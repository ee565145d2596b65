import {
  cut,
  displayWidth,
  LiveArea,
  painter,
  plainText,
  spanText,
  tableLines,
  type Terminal,
  terminalOf,
  wrap,
} from './index';

const ESC = String.fromCharCode(27);
const plain = painter(false);

describe('texts from outside', () => {
  it('lose what a terminal would obey', () => {
    expect(plainText(`a${ESC}[31mb\nc\u202ed`)).toBe('a [31mb c d');
  });

  it('take two columns for wide characters and none for combining ones', () => {
    expect(['ab', '漢字', '🔥', 'e\u0301', painter(true)('red', 'ab')].map(displayWidth)).toEqual([2, 4, 2, 1, 2]);
  });

  it('are cut to the width with an ellipsis', () => {
    expect([cut('manageable', 10), cut('manageable', 6), cut('漢字漢字', 5)]).toEqual([
      'manageable',
      'manag…',
      '漢字…',
    ]);
  });

  it('are broken between words, and inside a word that is too long', () => {
    expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrap('x'.repeat(20), 8).every((line) => displayWidth(line) <= 8)).toBe(true);
    expect(wrap('x'.repeat(20), 8).join('')).toBe('x'.repeat(20));
  });
});

describe('a table', () => {
  const columns = [{ title: 'NODE', widthMax: 6 }, { title: 'WHAT' }];
  const rows = [
    [{ text: 'n1' }, { text: 'inspected and powered off' }],
    [{ text: 'a-long-name' }, { text: '' }],
  ];

  it('cuts cells that are too long, and the last one at the width of the screen', () => {
    const lines = tableLines(columns, rows, { paint: plain, width: 24, overflow: 'cut' });
    expect(lines).toEqual(['NODE    WHAT', 'n1      inspected and…', 'a-lon…']);
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(24);
  });

  it('wraps the last cell under itself', () => {
    const long = [[{ text: 'n1' }, { text: 'inspected, powered off, late data refused' }]];
    const lines = tableLines(columns, long, { paint: plain, width: 38, overflow: 'wrap' });
    expect(lines.slice(1)).toEqual(['n1    inspected, powered off, late', '      data refused']);
  });

  it('puts a sentence that would be squeezed below its row, under the second column', () => {
    const three = [{ title: '' }, ...columns];
    const long = [
      [{ text: '+' }, { text: 'n1' }, { text: 'inspected, powered off, late data refused' }],
      [{ text: '-' }, { text: 'n2' }, { text: 'timed out' }],
    ];
    const lines = tableLines(three, long, { paint: plain, width: 30, overflow: 'wrap' });
    expect(lines).toEqual([
      '   NODE  WHAT',
      '+  n1',
      '   inspected, powered off,',
      '   late data refused',
      '-  n2    timed out',
    ]);
  });

  it('has no limit where lines have none', () => {
    expect(tableLines(columns, rows, { paint: plain, width: null, overflow: 'cut' })[1]).toBe(
      'n1      inspected and powered off',
    );
  });
});

describe('spans', () => {
  it('read as a person says them', () => {
    expect([0, 940, 12_400, 59_700, 125_000, 7_260_000, 97_200_000].map(spanText)).toEqual([
      '0.0 s',
      '0.9 s',
      '12 s',
      '1 min 0 s',
      '2 min 5 s',
      '2 h 1 min',
      '1 d 3 h',
    ]);
  });
});

describe('a live area', () => {
  const open = (height: number) => {
    let written = '';
    const terminal: Terminal = {
      live: true,
      colour: false,
      width: () => 80,
      height: () => height,
      write: (text) => void (written += text),
    };
    return { area: new LiveArea(terminal), take: () => [written, (written = '')][0] };
  };

  it('goes back over what it drew, and only over that', () => {
    const { area, take } = open(24);
    area.draw(['one', 'two']);
    expect(take()).not.toContain(`${ESC}[2A`);
    area.draw(['1', '2', '3']);
    expect(take()).toContain(`${ESC}[2A`);
    area.release();
    area.draw(['below']);
    expect(take()).not.toMatch(/\[\d+A/);
  });

  it('never draws more lines than can be drawn again', () => {
    const { area, take } = open(5);
    area.draw(Array.from({ length: 9 }, (_, at) => `line ${at}`));
    const text = take() ?? '';
    expect(text.split('\n').length - 1).toBe(4);
    expect(text).toContain('… 6 more lines');
  });
});

describe('a terminal', () => {
  const stream = (isTTY: boolean) =>
    ({ isTTY, columns: 100, rows: 30, write: () => true }) as unknown as NodeJS.WriteStream;

  it('has no colours with NO_COLOR, and neither colours nor redrawing when it is a file or dumb', () => {
    const looks = [
      terminalOf(stream(true), {}),
      terminalOf(stream(true), { NO_COLOR: '1' }),
      terminalOf(stream(true), { TERM: 'dumb' }),
      terminalOf(stream(false), {}),
    ].map(({ live, colour }) => [live, colour]);
    expect(looks).toEqual([
      [true, true],
      [true, false],
      [false, false],
      [false, false],
    ]);
  });
});
