import { existsSync } from 'node:fs';
import { sqlitePath } from '@lib/adapters/event-log-typeorm';
import { loadSettings } from '@lib/adapters/settings-file';
import type { ProjectionOptions } from '@lib/usecases/project-node';
import { projectionOptions } from '@app/conductor';

export interface LogPlace {
  readonly home: string;
  readonly databaseUrl: string | null;
  readonly projection: ProjectionOptions;
}

/**
 * The log that the settings name, or the SQLite log under a home. Throws Error with a sentence when there is none under
 * the home, and SettingsError.
 */
export function logPlace(home: string | undefined, env: NodeJS.ProcessEnv): LogPlace {
  const { DATABASE_URL: _other, ...rest } = env;
  const { settings, runtime } = loadSettings(home === undefined ? env : { ...rest, FERROLOG_HOME: home });
  const place = { home: runtime.home, databaseUrl: runtime.databaseUrl, projection: projectionOptions(settings) };
  if (place.databaseUrl === null && !existsSync(sqlitePath(place.home))) {
    throw new Error(`There is no event log under ${place.home}.`);
  }
  return place;
}
