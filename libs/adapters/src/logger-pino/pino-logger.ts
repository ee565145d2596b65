import pino from 'pino';
import type { Logger } from '@lib/ports';
import { redact } from './redact';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface PinoLoggerOptions {
  /** Named in each line. */
  readonly service: string;
  readonly level?: LogLevel;
  /** Lines are appended to this file instead of standard error. */
  readonly file?: string;
}

const STDERR = 2;

/**
 * One JSON object a line, written before the call returns: the lines before a crash are the ones that are wanted.
 * Fields whose names speak of secrets are written as `******`, at any depth.
 */
export function pinoLogger({ service, level = 'info', file }: PinoLoggerOptions): Logger {
  const destination = pino.destination({ dest: file ?? STDERR, sync: true, mkdir: true });
  const options: pino.LoggerOptions = {
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  };
  const lines = pino(options, destination);
  const write = (at: LogLevel) => (fields: Record<string, unknown>, message: string) => {
    if (lines.isLevelEnabled(at)) lines[at](redact(fields), message);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
