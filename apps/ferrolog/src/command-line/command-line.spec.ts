import { CommanderError } from 'commander';
import { exitCodeOf, httpUrl, seconds, UsageError, wholeNumber } from './index';

describe('exit codes', () => {
  it('are 0 for help, 2 for a wrong command line, 1 for all else, with its sentence', () => {
    const said: string[] = [];
    const code = (error: unknown) => exitCodeOf(error, (line) => void said.push(line));
    expect(code(new CommanderError(0, 'commander.helpDisplayed', 'help'))).toBe(0);
    expect(code(new CommanderError(1, 'commander.unknownOption', 'unknown'))).toBe(2);
    expect(said).toEqual([]);
    expect([code(new UsageError('not both')), code(new Error('no answer')), code('odd')]).toEqual([2, 1, 1]);
    expect(said).toEqual(['not both', 'no answer', 'odd']);
  });
});

describe('values of options', () => {
  it.each(['0', '101', '1.5', '-1', '', 'x', '1e1'])('"%s" is no whole number from 1 to 100', (text) => {
    expect(() => wholeNumber(1, 100)(text)).toThrow('A whole number from 1 to 100');
  });
  it.each(['-1', '11', '1.', 'Infinity', ''])('"%s" is no number of seconds up to 10', (text) => {
    expect(() => seconds(10)(text)).toThrow('A number of seconds');
  });
  it.each(['localhost:6385', 'ftp://h', 'h', ''])('"%s" is no address', (text) => {
    expect(() => httpUrl(text)).toThrow('An address like');
  });
  it('are taken as they are meant', () => {
    expect([wholeNumber(1, 100)('42'), seconds(10)('0.5'), httpUrl('http://h:1/')]).toEqual([42, 0.5, 'http://h:1']);
  });
});
