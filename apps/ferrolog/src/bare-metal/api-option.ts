import type { Command } from 'commander';
import { loadSettings } from '@lib/adapters/settings-file';
import { httpUrl } from '../command-line';
import { apiAddress } from '../services/addresses';
import { BareMetal } from './bare-metal';
import { NoAnswer } from './request';

export interface ApiOption {
  readonly api?: string;
}

/** `--api`, for every command that asks a running server. */
export const addApiOption = (command: Command): Command =>
  command.option('--api <url>', 'the Bare Metal API (default: the one that the settings start here)', httpUrl);

/** OS_TOKEN is sent where a server wants one. @throws Error with a sentence that says what to do */
export async function connectTo(options: ApiOption, env: NodeJS.ProcessEnv): Promise<BareMetal> {
  const url = options.api ?? apiAddress(loadSettings(env));
  const token = env['OS_TOKEN'];
  try {
    return await BareMetal.connect({ url, ...(token ? { token } : {}) });
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw new Error(`${error.message}. Is the stack running (npm start)? --api URL names another one.`, {
      cause: error,
    });
  }
}
