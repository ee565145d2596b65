/** Options that hold words of a closed or open vocabulary, and the delays of the fake interfaces. */
import { type Description, type Option, parsed, refused } from './option';
import { DECIMAL, type TextRule } from './scalars';

/**
 * One of the words given. `refuse` names words that the field knows and this release does not serve, each with the
 * sentence that the operator reads.
 */
export function choice<const W extends string>(
  spec: Description & {
    readonly of: readonly W[];
    readonly default: NoInfer<W>;
    readonly refuse?: Readonly<Record<string, string>>;
  },
): Option<W> {
  return {
    ...spec,
    type: 'choice',
    accepts: spec.of.map((word) => `\`${word}\``).join(', '),
    parse: (text) => {
      const word = spec.of.find((known) => known === text);
      if (word !== undefined) return parsed(word);
      const sentence = spec.refuse && Object.hasOwn(spec.refuse, text) ? spec.refuse[text] : undefined;
      return refused(sentence ?? `"${text}" is none of ${spec.of.join(', ')}`);
    },
    defaultValue: () => spec.default,
    defaultText: spec.default,
  };
}

interface Vocabulary {
  /** What one entry is, for the message: "inspect interface". */
  readonly noun: string;
  readonly known: readonly string[];
  /** Extensions may bring more; who loads them checks the names (libs/adapters/src/extensions). */
  readonly extensible?: true;
}

const isName = (word: string): boolean => /^[\w.-]{1,64}$/.test(word);

/** Whether a word may be used: where extensions are named, any that looks like a name. */
const isKnown = (word: string, { known, extensible }: Vocabulary, hasExtensions = false): boolean =>
  known.includes(word) || (extensible === true && hasExtensions && isName(word));

const unknownWord = (word: string, { noun, known }: Vocabulary): string =>
  `"${word}" is no ${noun} that this release knows (known: ${known.join(', ')})`;

const wordList = (known: readonly string[]): string => known.map((word) => `\`${word}\``).join(', ');

/** A comma separated list of known words, at least one; repetitions count once. */
export function wordsOf(
  spec: Description & Vocabulary & { readonly default: readonly string[] },
): Option<readonly string[]> {
  return {
    ...spec,
    type: 'list',
    accepts: `one or more of ${wordList(spec.known)}, separated by commas`,
    parse: (text, hasExtensions) => {
      const words = text.split(',').map((word) => word.trim());
      if (words.includes('')) return refused(text.trim() === '' ? 'the list is empty' : `"${text}" has an empty entry`);
      const unknown = words.filter((word) => !isKnown(word, spec, hasExtensions));
      if (unknown.length > 0) return refused(unknown.map((word) => unknownWord(word, spec)).join('; '));
      return parsed([...new Set(words)]);
    },
    defaultValue: () => spec.default,
    defaultText: spec.default.join(','),
  };
}

/** Origins of pages (`https://console.example:8443`), separated by commas, or `*`; none unless given. */
export function originsOrNone(spec: Description): Option<readonly string[]> {
  return {
    ...spec,
    type: 'list',
    accepts: '`*`, or origins (`https://console.example:8443`) separated by commas',
    parse: (text) => {
      const words = text
        .split(',')
        .map((word) => word.trim().toLowerCase())
        .filter((word) => word !== '');
      const wrong = words.filter((word) => word !== '*' && !isOrigin(word));
      if (wrong.length > 0) return refused(`"${wrong.join(', ')}" is no origin: scheme and host, without a path`);
      return parsed([...new Set(words)]);
    },
    defaultValue: () => [],
    defaultText: null,
  };
}

const isOrigin = (word: string): boolean => /^https?:\/\/[^\s/?#@]+$/.test(word) && URL.canParse(word);

/** Names of packages, or paths, separated by commas; none unless given. */
export function packagesOrNone(spec: Description): Option<readonly string[]> {
  return {
    ...spec,
    type: 'list',
    accepts: 'names of packages, or paths, separated by commas',
    parse: (text) => {
      const words = text
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '');
      const wrong = words.find((word) => !isPackage(word));
      if (wrong !== undefined) return refused(`"${wrong}" is neither the name of a package nor a path`);
      return parsed([...new Set(words)]);
    },
    defaultValue: () => [],
    defaultText: null,
  };
}

const isPackage = (word: string): boolean =>
  /^[./]\S+$/.test(word) || /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/.test(word);

/** A comma separated list of known words, or the empty text for none; repetitions count once. */
export function wordsOrNone(spec: Description & Vocabulary): Option<readonly string[]> {
  const some = wordsOf({ ...spec, default: [] });
  return {
    ...some,
    accepts: `nothing, or ${some.accepts}`,
    parse: (text, hasExtensions) => (text === '' ? parsed([]) : some.parse(text, hasExtensions)),
  };
}

/** A comma separated list of words that pass `check`; repetitions stay, as an order of arguments may need them. */
export function textsOf(
  spec: Description & Required<TextRule> & { readonly default: readonly string[]; readonly canBeEmpty: boolean },
): Option<readonly string[]> {
  return {
    ...spec,
    type: 'list',
    parse: (text) => {
      if (text === '' && spec.canBeEmpty) return parsed([]);
      const words = text.split(',').map((word) => word.trim());
      const problem = words.map(spec.check).find((one) => one !== undefined);
      return problem === undefined ? parsed(words) : refused(problem);
    },
    defaultValue: () => spec.default,
    defaultText: spec.default.join(','),
  };
}

/** One known word or nothing. */
export function wordOrUnset(spec: Description & Vocabulary): Option<string | null> {
  return {
    ...spec,
    type: 'string',
    accepts: `one of ${wordList(spec.known)}`,
    parse: (text, hasExtensions) => {
      if (text === '') return parsed(null);
      return isKnown(text, spec, hasExtensions) ? parsed(text) : refused(unknownWord(text, spec));
    },
    defaultValue: () => null,
    defaultText: null,
  };
}

/** A time drawn between two bounds, which may be equal; the option says how it is drawn. */
export interface Delay {
  readonly baseS: number;
  readonly maxS: number;
}

/** `a` or `a,b` seconds; of the fake interfaces the triangle drawn from is highest at `a`. contract: inspection.md §3.3 */
export function delay(spec: Description & { readonly default: number; readonly maxS: number }): Option<Delay> {
  return {
    ...spec,
    unit: 's',
    type: 'delay',
    accepts: `\`a\` or \`a,b\`, 0 to ${spec.maxS}, a not above b`,
    parse: (text) => {
      const parts = text.split(',').map((part) => part.trim());
      if (parts.length > 2 || !parts.every((part) => DECIMAL.test(part))) {
        return refused(`"${text}" is neither one number nor two with a comma between`);
      }
      const [baseS = 0, maxS = baseS] = parts.map(Number);
      if (baseS < 0 || maxS < 0) return refused(`"${text}" is less than 0`);
      if (Math.max(baseS, maxS) > spec.maxS) return refused(`"${text}" is more than ${spec.maxS}`);
      if (baseS > maxS) return refused(`"${text}": the first number is above the second`);
      return parsed({ baseS, maxS });
    },
    defaultValue: () => ({ baseS: spec.default, maxS: spec.default }),
    defaultText: String(spec.default),
  };
}

/** How often each word is drawn, relative to the others. */
export type Weights<W extends string> = Readonly<Partial<Record<W, number>>>;

const WEIGHT_MAX = 1_000_000;

/** `word:weight` separated by commas, or unset. At least one weight is above 0. */
export function weightsOrUnset<const W extends string>(
  spec: Description & { readonly noun: string; readonly known: readonly W[] },
): Option<Weights<W> | null> {
  return {
    ...spec,
    type: 'weights',
    accepts: `\`name:weight\` of ${wordList(spec.known)}, separated by commas; weights 0 to ${WEIGHT_MAX}`,
    parse: (text) => {
      if (text === '') return parsed(null);
      const weights: Partial<Record<W, number>> = {};
      for (const part of text.split(',').map((each) => each.trim())) {
        const [, name = '', weight = ''] = /^([^:]*?)\s*:\s*(.*)$/.exec(part) ?? [];
        if (!DECIMAL.test(weight)) return refused(`"${part}" is not name:weight`);
        const word = spec.known.find((known) => known === name);
        if (word === undefined) return refused(unknownWord(name, spec));
        if (Number(weight) < 0 || Number(weight) > WEIGHT_MAX) {
          return refused(`"${part}": the weight is not between 0 and ${WEIGHT_MAX}`);
        }
        weights[word] = Number(weight);
      }
      if (!Object.values(weights).some((weight) => weight !== 0)) return refused(`"${text}" has no weight above 0`);
      return parsed(weights);
    },
    defaultValue: () => null,
    defaultText: null,
  };
}

/** Names of steps as `interface.step`, separated by commas; the empty text names none. */
export function stepNames(spec: Description & { readonly default: readonly string[] }): Option<readonly string[]> {
  return {
    ...spec,
    type: 'list',
    accepts: '`interface.step`, separated by commas, or nothing',
    parse: (text) => {
      const words = text
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '');
      const wrong = words.find((word) => !/^[a-z]+\.[^.,\s]+$/.test(word));
      if (wrong !== undefined) return refused(`"${wrong}" is no name of a step: interface.step`);
      return parsed([...new Set(words)]);
    },
    defaultValue: () => spec.default,
    defaultText: spec.default.join(','),
  };
}
