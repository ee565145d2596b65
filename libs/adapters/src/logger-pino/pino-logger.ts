import pino from 'pino';
import type { Logger } from '@lib/ports';
import { redact } from './redact';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface PinoLoggerOptions {
  /** Named in each line. */
  readonly service: string;
  /** The least that is written. */
  readonly level?: LogLevel;
  /** Lines are appended to this file instead of standard error. */
  readonly file?: string;
}

const STDERR = 2;
const GATHERED_CHARS_MAX = 64 * 1024;

/** Lines on their way to one destination, which writes what it gets before it returns. */
class Gathered {
  private lines = '';

  constructor(private readonly destination: { write(text: string): unknown }) {}

  write(line: string): void {
    this.lines += line;
    if (this.lines.length > GATHERED_CHARS_MAX) this.flush();
    else flushLater(this);
  }

  flush(): void {
    const { lines } = this;
    this.lines = '';
    if (lines !== '') this.destination.write(lines);
  }
}

const unwritten = new Set<Gathered>();

function flushAll(): void {
  const all = [...unwritten];
  unwritten.clear();
  for (const gathered of all) gathered.flush();
}

process.on('exit', flushAll);

function flushLater(gathered: Gathered): void {
  if (unwritten.size === 0) setImmediate(flushAll);
  unwritten.add(gathered);
}

/**
 * One JSON object a line. Warnings and errors are written before the call returns, with all before them: the lines before a
 * crash are the ones that are wanted. Other lines of one turn of the event loop go out together at its end, or at the
 * process's: a write for each would cost a busy api a tenth of its time.
 * Fields whose names speak of secrets are written as `******`, at any depth.
 */
export function pinoLogger({ service, level = 'info', file }: PinoLoggerOptions): Logger {
  const gathered = new Gathered(pino.destination({ dest: file ?? STDERR, sync: true, mkdir: true }));
  const options: pino.LoggerOptions = {
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  };
  const lines = pino(options, gathered);
  const write = (at: LogLevel) => (fields: Record<string, unknown>, message: string) => {
    if (!lines.isLevelEnabled(at)) return;
    lines[at](redact(fields), message);
    if (at === 'warn' || at === 'error') gathered.flush();
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
