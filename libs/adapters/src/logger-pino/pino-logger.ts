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
const GATHERED_BYTES = 8 * 1024;

type Destination = ReturnType<typeof pino.destination>;

/** With lines that are not written yet. */
const unwritten = new Set<Destination>();

function flushAll(): void {
  for (const destination of unwritten) destination.flushSync();
  unwritten.clear();
}

process.on('exit', flushAll);

function flushLater(destination: Destination): void {
  if (unwritten.size === 0) setImmediate(flushAll);
  unwritten.add(destination);
}

/**
 * One JSON object a line. Warnings and errors are written before the call returns, with all before them: the lines before a
 * crash are the ones that are wanted. Other lines of one turn of the event loop go out together at its end, or at the
 * process's: a write for each would cost a busy api a tenth of its time.
 * Fields whose names speak of secrets are written as `******`, at any depth.
 */
export function pinoLogger({ service, level = 'info', file }: PinoLoggerOptions): Logger {
  const destination = pino.destination({ dest: file ?? STDERR, sync: true, mkdir: true, minLength: GATHERED_BYTES });
  const options: pino.LoggerOptions = {
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  };
  const lines = pino(options, destination);
  const write = (at: LogLevel) => (fields: Record<string, unknown>, message: string) => {
    if (!lines.isLevelEnabled(at)) return;
    lines[at](redact(fields), message);
    if (at === 'warn' || at === 'error') destination.flushSync();
    else flushLater(destination);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
