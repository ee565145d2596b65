import type { Command } from 'commander';
import { addApiOption, type ApiOption, connectTo } from '../bare-metal';
import { UsageError } from '../command-line';
import { logPlace } from '../log-pass';
import { type LogPages, openLogPages } from '../node-events';

export interface SourceOptions extends ApiOption {
  readonly home?: string;
  readonly log?: boolean;
}

/** `--api`, `--log` and `--home`, of which one at most is given; without any the API is asked. */
export const addSourceOptions = (command: Command): Command =>
  addApiOption(command)
    .option('--log', 'read the log itself that the settings name (FERROLOG_HOME or DATABASE_URL)')
    .option('--home <folder>', 'read the SQLite log under this state folder');

/** @throws UsageError for several places, Error with a sentence when there is nothing that can be read */
export async function openSource({ api, home, log = false }: SourceOptions, env: NodeJS.ProcessEnv): Promise<LogPages> {
  const named = [api === undefined ? '' : '--api', home === undefined ? '' : '--home', log ? '--log' : ''];
  const given = named.filter((option) => option !== '');
  if (given.length > 1) throw new UsageError(`${given.join(' and ')} exclude each other.`);
  if (log || home !== undefined) return openLogPages(logPlace(home, env));
  const server = await connectTo({ api }, env);
  return { events: (...args) => server.events(...args), close: async () => undefined };
}
