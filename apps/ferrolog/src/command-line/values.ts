import { InvalidArgumentError } from 'commander';

/** A parser of a whole number in its limits, for an option. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (!(value >= min && value <= max))
      throw new InvalidArgumentError(`A whole number from ${min} to ${max} is needed.`);
    return value;
  };

/** A parser of a number of seconds, with or without a fraction. */
export const seconds =
  (max: number) =>
  (text: string): number => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
    if (!(value <= max)) throw new InvalidArgumentError(`A number of seconds from 0 to ${max} is needed.`);
    return value;
  };

/** The address of an HTTP service, without its trailing slash. */
export function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('An address like http://127.0.0.1:6385 is needed.');
  }
  return text.replace(/\/+$/, '');
}
