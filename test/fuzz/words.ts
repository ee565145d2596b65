/** What requests are made of: few enough names and ids that requests meet each other, and values that break things. */
import fc from 'fast-check';

const POOL = 12;

/** The same in every run: what one request creates another finds. */
export const poolUuid = (n: number): string => `f0000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
export const poolMac = (n: number): string => `52:54:00:00:00:${(n % 256).toString(16).padStart(2, '0')}`;

export const uuids = fc.nat(POOL - 1).map(poolUuid);
export const macs = fc.nat(POOL - 1).map(poolMac);
export const names = fc.oneof(
  fc.nat(POOL - 1).map((n) => `fuzz-${n}`),
  fc.constantFrom('CUSTOM_FUZZ', 'CUSTOM_FUZZ_2', 'HW_CPU_X86_VMX', 'fake-hardware', 'fuzz.json', 'detail', 'states'),
);

/** Texts that some layer takes for something else. */
export const oddTexts = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    '\ufeff',
    '..',
    '../../etc/passwd',
    '%00',
    '%',
    '%zz',
    "'; DROP TABLE events; --",
    '${jndi:ldap://x}',
    '{{7*7}}',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'null',
    'true',
    'NaN',
    'Infinity',
    '-0',
    '1e309',
    '9007199254740993',
    '\r\nX-Injected: 1',
    '\u202e',
    'İ',
    'ﬀ',
    '𝒳',
    '👩‍👩‍👧‍👦',
    '2026-11-30T09:12:42.354633+00:00',
    '******',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.nat(6_000).map((length) => 'x'.repeat(length)),
);

export const texts = fc.oneof({ arbitrary: names, weight: 4 }, { arbitrary: uuids, weight: 2 }, oddTexts);

export const oddNumbers = fc.constantFrom(
  ...[
    0,
    -0,
    -1,
    1,
    0.5,
    255,
    256,
    65_536,
    2 ** 31 - 1,
    2 ** 31,
    -(2 ** 31) - 1,
    2 ** 53,
    2 ** 64,
    1e308,
    -1e308,
    5e-324,
  ],
);

/** Any JSON, now and then with the keys that objects of this language have by themselves. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], [{}]), weight: 3 },
  oddNumbers,
  texts,
  fc.jsonValue({ maxDepth: 4, noUnicodeString: false } as fc.JsonSharedConstraints),
  fc.dictionary(texts, fc.oneof(texts, oddNumbers, fc.constant(null)), { maxKeys: 5 }),
  fc.integer({ min: 1, max: 60 }).map(nested),
);

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let at = 0; at < depth; at += 1) value = at % 2 === 0 ? { a: value } : [value];
  return value;
}

/** Versions at which something changes, the newest most of all. */
export const minors = fc.oneof(
  { arbitrary: fc.constant(115), weight: 4 },
  fc.constantFrom(1, 2, 5, 9, 11, 22, 27, 31, 38, 39, 41, 52, 57, 61, 72, 76, 84, 89, 92, 96, 104, 109, 112),
);
