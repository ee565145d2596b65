import { Command } from 'commander';
import { version } from '../../../package.json';

/** The command line without its commands. */
export const rootCommand = (): Command =>
  new Command('ferrolog')
    .description(
      'A bare-metal conductor that speaks the OpenStack Bare Metal API and keeps every node as an event log.',
    )
    .version(version, '--version', 'tell the version and end')
    .showHelpAfterError('--help shows how it is called.')
    .exitOverride();
