import { parseArgs } from 'node:util';
import { Problem } from './problem.mjs';

const HELP = { help: { help: 'Show this and end.' } };

/**
 * Reads the arguments of a script from a table: `{ name: { value: 'N', help: '...' } }`, without `value` a switch. Returns
 * `{ values, positionals }`, or null when `--help` was asked for and has been printed. What is unknown is a Problem (exit code 2).
 */
export function readArguments(args, { usage, about, options = {}, positionals = false }) {
  const table = { ...options, ...HELP };
  const parsed = parse(args, table, positionals, usage);
  if (!parsed.values.help) return parsed;
  process.stdout.write(helpText({ usage, about, table }));
  return null;
}

function parse(args, table, allowPositionals, usage) {
  const types = Object.entries(table).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' }]);
  const short = { ...Object.fromEntries(types), help: { type: 'boolean', short: 'h' } };
  try {
    return parseArgs({ args, allowPositionals, options: short });
  } catch (error) {
    throw new Problem(`${error.message.split('. ')[0]}.\nusage: ${usage}`);
  }
}

function helpText({ usage, about, table }) {
  const rows = Object.entries(table).map(([name, { value, help }]) => [`--${name}${value ? ` ${value}` : ''}`, help]);
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  const lines = rows.map(([name, help]) => `  ${name.padEnd(width)}${help}`);
  return `usage: ${usage}\n\n${about}\n\n${lines.join('\n')}\n\nExit codes: 0 all is well, 1 something failed, 2 wrong use or something is missing.\n`;
}

/** A whole number given as an option or variable. */
export function wholeNumber(text, name) {
  if (!/^\d+$/.test(text)) throw new Problem(`${name} takes a whole number, not "${text}"`);
  return Number(text);
}
