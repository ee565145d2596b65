/** What belongs to one running stack rather than to its configuration: where it lives and whom it talks to. */
import { resolve } from 'node:path';
import { type LogLevel, logLevels } from '@lib/adapters/logger-pino';
import { masterKeyFromText } from '@lib/adapters/secret-box';
import { type ServiceName, serviceNames } from '@lib/contracts/settings';
import type { Environment } from './environment';

export interface Runtime {
  /** Absolute path of the state folder. */
  readonly home: string;
  readonly ports: {
    /** The same as `[api] port`. 0: a free one. */
    readonly api: number;
    /** 0: a free one. */
    readonly inspector: number;
  };
  /** What `up` starts, in the order of serviceNames. */
  readonly services: readonly ServiceName[];
  /** First word of every subject on the bus. */
  readonly busPrefix: string;
  /** Null: the stack starts a broker of its own. */
  readonly natsUrl: string | null;
  /** The least that services write into their logs. */
  readonly logLevel: LogLevel;
  /** PostgreSQL. Null: SQLite under the home. */
  readonly databaseUrl: string | null;
}

/** The variables that runtimeOf reads, for the documentation. `fallback` is what holds when the variable is not set. */
export const runtimeVariables = [
  { name: 'FERROLOG_CONFIG', fallback: 'no file', meaning: 'Path of the configuration file.' },
  {
    name: 'FERROLOG_HOME',
    fallback: '.ferrolog in the current folder',
    meaning: 'State folder: log, keys, process ids.',
  },
  { name: 'FERROLOG_API_PORT', fallback: '[api] port', meaning: 'Port of the Bare Metal API. 0: a free one.' },
  { name: 'FERROLOG_INSPECTOR_PORT', fallback: '5050', meaning: 'Port of the inspector simulator. 0: a free one.' },
  {
    name: 'FERROLOG_SERVICES',
    fallback: 'all',
    meaning: `Services that \`up\` starts, separated by commas: ${serviceNames.join(', ')}.`,
  },
  {
    name: 'FERROLOG_BUS_PREFIX',
    fallback: 'baremetal',
    meaning:
      'First word of all subjects; stacks with different ones may share a broker. Letters, digits, _ and -, up to 32.',
  },
  {
    name: 'NATS_URL',
    fallback: 'a broker of its own',
    meaning: 'Address of the broker, or several separated by commas.',
  },
  {
    name: 'FERROLOG_MASTER_KEY',
    fallback: 'master.key under the home, made at the first start',
    meaning:
      'Key that wraps the keys of all secrets: 32 bytes in base64. All services of a stack need the same one; without it no secret can be read again.',
  },
  {
    name: 'FERROLOG_LOG_LEVEL',
    fallback: 'info',
    meaning: `The least that services write into their logs: ${logLevels.join(', ')}. Requests that read and are answered well are told at debug.`,
  },
  {
    name: 'DATABASE_URL',
    fallback: 'SQLite under the home',
    meaning:
      'Address of the PostgreSQL database that keeps the log: postgres://user:password@host:5432/name. The keys of secrets lie there too.',
  },
] as const;

type VariableName = (typeof runtimeVariables)[number]['name'];

/** Reads the variables; adds a sentence to `problems` for each that cannot be used. Addresses may hold secrets and are not repeated. */
export function runtimeOf(env: Environment, apiPort: number, problems: string[]): Runtime {
  const given = (name: VariableName): string | null => env[name]?.trim() || null;
  checkKey(given('FERROLOG_MASTER_KEY'), problems);
  return {
    home: resolve(given('FERROLOG_HOME') ?? '.ferrolog'),
    ports: { api: apiPort, inspector: port(given('FERROLOG_INSPECTOR_PORT'), problems) },
    services: services(given('FERROLOG_SERVICES'), problems),
    busPrefix: busPrefix(given('FERROLOG_BUS_PREFIX') ?? 'baremetal', problems),
    natsUrl: natsUrl(given('NATS_URL'), problems),
    logLevel: logLevel(given('FERROLOG_LOG_LEVEL') ?? 'info', problems),
    databaseUrl: databaseUrl(given('DATABASE_URL'), problems),
  };
}

/** Only looked at: the services read it themselves, so that it is in no object that might be shown. */
function checkKey(text: string | null, problems: string[]): void {
  try {
    if (text !== null) masterKeyFromText(text);
  } catch (error) {
    problems.push((error as Error).message);
  }
}

function port(text: string | null, problems: string[]): number {
  if (text === null) return 5050;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text);
  problems.push(`FERROLOG_INSPECTOR_PORT: "${text}" is no port (0 to 65535)`);
  return 5050;
}

function services(text: string | null, problems: string[]): readonly ServiceName[] {
  if (text === null) return serviceNames;
  const words = text.split(',').map((word) => word.trim());
  const unknown = words.filter((word) => !serviceNames.some((name) => name === word));
  if (unknown.length > 0) {
    problems.push(`FERROLOG_SERVICES: "${unknown.join(', ')}" is no service (known: ${serviceNames.join(', ')})`);
  }
  return serviceNames.filter((name) => words.includes(name));
}

function logLevel(text: string, problems: string[]): LogLevel {
  const level = logLevels.find((one) => one === text.toLowerCase());
  if (!level) problems.push(`FERROLOG_LOG_LEVEL: "${text}" is not one of ${logLevels.join(', ')}`);
  return level ?? 'info';
}

/** The prefix is also part of a stream's name, so a dot, which subjects would allow, is not. */
function busPrefix(text: string, problems: string[]): string {
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(text)) {
    problems.push(`FERROLOG_BUS_PREFIX: "${text}" is not one word of letters, digits, _ and -, up to 32`);
  }
  return text;
}

function natsUrl(text: string | null, problems: string[]): string | null {
  const servers = text?.split(',').map((server) => server.trim()) ?? [];
  if (!servers.every((server) => /^((nats|tls):\/\/)?[^\s/,]+\/?$/i.test(server))) {
    problems.push('NATS_URL: not an address like nats://host:4222, or several with commas between');
  }
  return text;
}

/** Another kind of database is refused: to go on with SQLite although something else was asked for would lose the log. */
function databaseUrl(text: string | null, problems: string[]): string | null {
  if (text !== null && !/^postgres(ql)?:\/\/\S+$/i.test(text)) {
    problems.push('DATABASE_URL: not an address like postgres://user@host:5432/name; without one the log is in SQLite');
  }
  return text;
}
