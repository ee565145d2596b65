const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 } as const;
export type Style = keyof typeof codes;
export type Paint = (style: Style, text: string) => string;

const ESCAPE = String.fromCharCode(27);

export const painter = (colour: boolean): Paint =>
  colour ? (style, text) => `${ESCAPE}[${codes[style]}m${text}${ESCAPE}[0m` : (_style, text) => text;

/** The colour of a provision state: green is fine, red is a failure, yellow waits, blue is busy. */
export function stateStyle(state: string): Style {
  if (/failed|error/.test(state)) return 'red';
  if (/^(manageable|available|active)$/.test(state)) return 'green';
  return state.endsWith('wait') ? 'yellow' : 'cyan';
}
