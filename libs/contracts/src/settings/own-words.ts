// Past the door: behind it stand the resources, which read settings.
import { notificationLevels } from '../notifications/levels';
import type { NotificationLevel } from '../notifications/levels';
import { type Description, type Option, parsed, refused } from './option';

/** A level, or unset. */
export function levelOrUnset(spec: Description): Option<NotificationLevel | null> {
  const known = notificationLevels.join(', ');
  return {
    ...spec,
    type: 'string',
    accepts: `one of ${notificationLevels.map((level) => `\`${level}\``).join(', ')}`,
    parse: (text) => {
      if (text === '') return parsed(null);
      const level = notificationLevels.find((one) => one === text.toLowerCase());
      return level === undefined ? refused(`"${text}" is no level (known: ${known})`) : parsed(level);
    },
    defaultValue: () => null,
    defaultText: null,
  };
}

/** Words of the operator's own, separated by commas: at least one, at most `atMost`; repetitions count once. */
export function ownWords(
  spec: Description & {
    readonly noun: string;
    readonly atMost: number;
    readonly charsMax: number;
    readonly default: readonly string[];
  },
): Option<readonly string[]> {
  const isWord = (word: string): boolean => /^[\w-]+$/.test(word) && word.length <= spec.charsMax;
  return {
    ...spec,
    type: 'list',
    accepts: `1 to ${spec.atMost} words of letters, digits, _ and -, up to ${spec.charsMax} characters, separated by commas`,
    parse: (text) => {
      const words = [...new Set(text.split(',').map((word) => word.trim()))];
      const wrong = words.find((word) => !isWord(word));
      if (wrong !== undefined) return refused(`"${wrong}" is no ${spec.noun}`);
      if (words.length > spec.atMost) return refused(`${words.length} are more than ${spec.atMost}`);
      return parsed(words);
    },
    defaultValue: () => spec.default,
    defaultText: spec.default.join(','),
  };
}
