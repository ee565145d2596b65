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

/** A parser of a time; where its zone is missing, it could be that of this machine or of the server. */
export function timeWithZone(text: string): string {
  const isOne = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i.test(text);
  if (!isOne || Number.isNaN(Date.parse(text))) {
    throw new InvalidArgumentError('A time with its zone is needed, like 2026-12-01T08:00:00Z.');
  }
  return text;
}

/** The address of an HTTP service, without its trailing slash. */
export function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('An address like http://127.0.0.1:6385 is needed.');
  }
  return text.replace(/\/+$/, '');
}
