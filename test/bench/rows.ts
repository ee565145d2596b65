import type { Spread } from './statistics';

/** What is wanted of a number, and whether it was reached. Aims are stated, they are no gates. */
export interface Aim {
  readonly text: string;
  readonly met: boolean;
}

/** One line of the report. */
export interface Row {
  /** The measure that it belongs to, as `--only` names it. */
  readonly measure: string;
  readonly name: string;
  readonly value: Spread;
  readonly unit: string;
  /** The bare part that was measured beside it, slice by slice. */
  readonly beside?: { readonly name: string; readonly value: Spread; readonly ratio: Spread };
  /** Further numbers, as text. */
  readonly notes?: readonly string[];
  readonly aim?: Aim;
}

const digits = (value: number): string => {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(size >= 10 ? 1 : 2);
};

export const shownNumber = digits;

export const shownSpread = ({ median, min, max }: Spread): string =>
  min === max ? digits(median) : `${digits(median)} [${digits(min)}..${digits(max)}]`;

export function rowText({ name, value, unit, beside, notes = [], aim }: Row): string {
  const compared = beside
    ? [`beside ${beside.name} ${shownSpread(beside.value)}: ratio ${shownSpread(beside.ratio)}`]
    : [];
  const wanted = aim ? [`aim ${aim.text}: ${aim.met ? 'met' : 'NOT MET'}`] : [];
  return [`${name}: ${shownSpread(value)} ${unit}`, ...compared, ...notes, ...wanted].join('; ');
}

export const atLeast = (wanted: number, reached: number, what = ''): Aim => ({
  text: `>= ${wanted}${what}`,
  met: reached >= wanted,
});

export const atMost = (wanted: number, reached: number, what = ''): Aim => ({
  text: `<= ${wanted}${what}`,
  met: reached <= wanted,
});
