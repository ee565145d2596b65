import * as fc from 'fast-check';
import { type Option, type Parsed, parsed, refused } from './option';
import { levelOrUnset, ownWords } from './own-words';
import { boolean, booleanOrUnset, float, integer, machineText, text, textOrUnset, urlOrUnset } from './scalars';
import {
  choice,
  delay,
  originsOrNone,
  stepNames,
  textsOf,
  weightsOrUnset,
  wordOrUnset,
  wordsOf,
  wordsOrNone,
} from './words';

const about = { meaning: 'Something.', readBy: ['api'] } as const;
const machine = { hostname: 'node-7' };

type Case = [text: string, expected: Parsed<unknown> | RegExp];

function describeOption(name: string, option: Option<unknown>, cases: readonly Case[]): void {
  describe(name, () => {
    it.each(cases)('%j', (written, expected) => {
      const outcome = option.parse(written);
      if (!(expected instanceof RegExp)) return expect(outcome).toEqual(expected);
      expect(outcome).toEqual(refused(expect.stringMatching(expected) as unknown as string));
    });
  });
}

const yes = ['true', 'TRUE', 'True', '1', 'yes', 'on'].map((word): Case => [word, parsed(true)]);
const no = ['false', 'False', '0', 'no', 'OFF'].map((word): Case => [word, parsed(false)]);
const neither = ['', '2', 'maybe', 'truee', '-1', 'null'].map((word): Case => [word, /neither true nor false/]);
describeOption('boolean', boolean({ ...about, default: true }), [...yes, ...no, ...neither]);
describeOption('boolean or unset', booleanOrUnset(about), [...yes, ...no, ...neither]);

describeOption('integer', integer({ ...about, default: 5, min: 0, max: 100 }), [
  ['0', parsed(0)],
  ['100', parsed(100)],
  ['+7', parsed(7)],
  ['007', parsed(7)],
  ['-1', /-1 is less than 0/],
  ['101', /101 is more than 100/],
  ['9'.repeat(400), /is more than 100/],
  ...['', ' ', 'ten', '1.5', '1e1', '0x10', '1_0', 'NaN', 'Infinity', '-Infinity', '5 s', '٣'].map((word): Case => [
    word,
    /is not a whole number/,
  ]),
]);

describeOption('float', float({ ...about, default: 1, min: -1, max: 10 }), [
  ['0.25', parsed(0.25)],
  ['.5', parsed(0.5)],
  ['10', parsed(10)],
  ['-1', parsed(-1)],
  ['-1.01', /less than -1/],
  ['10.000001', /more than 10/],
  ...['', '.', '1e1', 'NaN', 'Infinity', '1,5', 'x', '1.2.3'].map((word): Case => [word, /is not a number/]),
]);

const letters = {
  accepts: 'letters',
  check: (v: string) => (/^[a-z]+$/.test(v) ? undefined : `"${v}" is not letters`),
};
describeOption('string', text({ ...about, ...letters, default: 'a' }), [
  ['abc', parsed('abc')],
  ['', /"" is not letters/],
  ['a1', /"a1" is not letters/],
]);
describeOption('string or unset', textOrUnset({ ...about, ...letters }), [
  ['abc', parsed('abc')],
  ['', parsed(null)],
  ['a1', /is not letters/],
]);
describeOption(
  'string from the machine',
  machineText({ ...about, ...letters, of: 'hostname', defaultText: 'its name' }),
  [
    ['abc', parsed('abc')],
    ['', /is not letters/],
  ],
);

describeOption('url', urlOrUnset(about), [
  ['', parsed(null)],
  ['http://h:6385/', parsed('http://h:6385')],
  ['https://[fd00::1]/baremetal//', parsed('https://[fd00::1]/baremetal')],
  ['HTTP://h', parsed('HTTP://h')],
  ['http://h/?a=1', /query or fragment/],
  ['http://h/#x', /query or fragment/],
  ...['h:80', 'ftp://h', 'http://', 'http:// h', 'http://h:99999', '/v1'].map((word): Case => [word, /is not an http/]),
]);

describeOption('choice', choice({ ...about, of: ['warn', 'fail'], default: 'warn', refuse: { swift: 'not here' } }), [
  ['fail', parsed('fail')],
  ['swift', /^not here$/],
  ['Fail', /"Fail" is none of warn, fail/],
  ['', /"" is none of/],
  ['toString', /"toString" is none of/],
]);

const colours = { noun: 'colour', known: ['red', 'green', 'blue'] };
describeOption('list', wordsOf({ ...about, ...colours, default: ['red'] }), [
  ['red', parsed(['red'])],
  [' blue ,red', parsed(['blue', 'red'])],
  ['red,red', parsed(['red'])],
  ['', /the list is empty/],
  [' ', /the list is empty/],
  ['red,', /has an empty entry/],
  ['red,pink,grey', /"pink" is no colour .*known: red, green, blue.*"grey" is no colour/],
]);
describeOption('list or none', wordsOrNone({ ...about, ...colours }), [
  ['', parsed([])],
  ['blue, red,blue', parsed(['blue', 'red'])],
  [' ', /the list is empty/],
  ['red,', /has an empty entry/],
  ['pink', /"pink" is no colour/],
]);
describeOption('texts', textsOf({ ...about, ...letters, default: ['a'], canBeEmpty: true }), [
  ['', parsed([])],
  ['a, b,a', parsed(['a', 'b', 'a'])],
  ['a,', /"" is not letters/],
  ['a,1', /"1" is not letters/],
]);
describeOption('texts, at least one', textsOf({ ...about, ...letters, default: ['a'], canBeEmpty: false }), [
  ['', /"" is not letters/],
]);
describeOption('names of steps', stepNames({ ...about, default: ['vendor.send_raw'] }), [
  ['', parsed([])],
  ['deploy.erase_devices, bios.apply,deploy.erase_devices', parsed(['deploy.erase_devices', 'bios.apply'])],
  ...['erase', 'deploy.', '.erase', 'a.b.c', 'deploy erase'].map((word): Case => [word, /is no name of a step/]),
]);

describeOption('origins', originsOrNone(about), [
  ['', parsed([])],
  ['*', parsed(['*'])],
  ['https://Console.example:8443, http://h,http://h', parsed(['https://console.example:8443', 'http://h'])],
  ...['console', 'https://h/', 'https://h/x', 'https://u@h', 'ftp://h', 'null'].map((word): Case => [
    word,
    /is no origin/,
  ]),
]);
describeOption('word or unset', wordOrUnset({ ...about, ...colours }), [
  ['blue', parsed('blue')],
  ['', parsed(null)],
  ['pink', /"pink" is no colour that this release knows/],
]);

describeOption('delay', delay({ ...about, default: 0, maxS: 60 }), [
  ['0', parsed({ baseS: 0, maxS: 0 })],
  ['6', parsed({ baseS: 6, maxS: 6 })],
  ['0.5, 2', parsed({ baseS: 0.5, maxS: 2 })],
  ['2,1', /first number is above the second/],
  ['-1', /less than 0/],
  ['1,61', /more than 60/],
  ...['', ',', '1,', '1,2,3', 'a', 'NaN', 'Infinity', '1;2'].map((word): Case => [word, /neither one number nor two/]),
]);

describeOption('weights', weightsOrUnset({ ...about, ...colours }), [
  ['', parsed(null)],
  ['red:8, blue : 0.5', parsed({ red: 8, blue: 0.5 })],
  ['red:1,red:2', parsed({ red: 2 })],
  ['red:0', /has no weight above 0/],
  ['red:-1', /not between 0 and/],
  ['red:1000001', /not between 0 and/],
  ['pink:1', /"pink" is no colour/],
  ...['red', 'red:', ':', 'red:1,', 'red:NaN', 'red:x', 'red:1:2'].map((word): Case => [word, /is not name:weight/]),
]);

describe('whatever is written', () => {
  const spec = { ...about, default: 3, min: -7, max: 900 };
  const number = fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String));

  it('a number option answers a number in its range or says what is wrong', () => {
    fc.assert(
      fc.property(fc.constantFrom(integer(spec), float(spec)), number, (option, written) => {
        const outcome = option.parse(written);
        if (!outcome.ok) return outcome.problem.includes(written);
        return Number.isFinite(outcome.value) && outcome.value >= -7 && outcome.value <= 900;
      }),
    );
  });

  it('every whole number in the range is taken as itself', () => {
    fc.assert(
      fc.property(fc.integer({ min: -7, max: 900 }), (n) => expect(integer(spec).parse(String(n))).toEqual(parsed(n))),
    );
  });

  it('a delay is ordered and inside its limits', () => {
    const option = delay({ ...about, default: 0, maxS: 60 });
    fc.assert(
      fc.property(fc.array(number, { maxLength: 3 }), (parts) => {
        const outcome = option.parse(parts.join(','));
        if (!outcome.ok) return outcome.problem !== '';
        const { baseS, maxS } = outcome.value;
        return 0 <= baseS && baseS <= maxS && maxS <= 60;
      }),
    );
  });

  it('a list answers only known words, each once', () => {
    const option = wordsOf({ ...about, ...colours, default: ['red'] });
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...colours.known), fc.string())), (words) => {
        const outcome = option.parse(words.join(','));
        if (!outcome.ok) return outcome.problem !== '';
        return (
          outcome.value.length > 0 &&
          new Set(outcome.value).size === outcome.value.length &&
          outcome.value.every((word) => colours.known.includes(word))
        );
      }),
    );
  });

  it('defaults come from the declaration or the machine', () => {
    expect(integer(spec).defaultValue(machine)).toBe(3);
    expect(booleanOrUnset(about).defaultValue(machine)).toBeNull();
    const host = machineText({ ...about, ...letters, of: 'hostname', defaultText: 'its name' });
    expect(host.defaultValue(machine)).toBe('node-7');
  });
});

describeOption('level or unset', levelOrUnset(about), [
  ['', parsed(null)],
  ['info', parsed('info')],
  ['ERROR', parsed('error')],
  ['loud', /"loud" is no level \(known: debug, info, warning, error, critical\)/],
]);

describeOption('own words', ownWords({ ...about, noun: 'topic', atMost: 2, charsMax: 5, default: ['a'] }), [
  ['a', parsed(['a'])],
  ['a_1, b-2,a_1', parsed(['a_1', 'b-2'])],
  ['', /"" is no topic/],
  ['a,,b', /"" is no topic/],
  ['a.b', /"a.b" is no topic/],
  ['abcdef', /"abcdef" is no topic/],
  ['a,b,c', /3 are more than 2/],
]);
