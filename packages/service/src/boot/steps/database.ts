import { join } from 'node:path';
import { clustersDirectory } from '@portolan/engine/management';
import type { Log } from '@portolan/foundation/log';
import type { Family } from '../../resources/family.ts';
import { handlersOf } from '../../resources/index.ts';
import type { Services } from '../../resources/services.ts';
import { openStore, refuseLostDatabase, type Store } from '../../store/index.ts';
import { EMPTY_DATABASE, migrationsOf } from '../migrations.ts';
import type { Config } from '../settings.ts';

interface Place {
  readonly config: Config;
  readonly dataDirectory: string;
}

const fileIn = (dataDirectory: string) => join(dataDirectory, 'portolan.sqlite');

/** Refuses to start if the database is missing while the data directory contains clusters. */
export function checkDatabaseExists({ config, dataDirectory }: Place): void {
  if (!config.database) refuseLostDatabase(fileIn(dataDirectory), clustersDirectory(dataDirectory));
}

type Parts = Pick<Services, 'clock' | 'machine' | 'random' | 'ids'> &
  Place & { readonly families: readonly Family[]; readonly log: Log };

/** Opens the database, creates it if it does not exist, and applies missing migrations. */
export function openDatabase({ config, dataDirectory, families, log, ...parts }: Parts): Promise<Store> {
  const { clock, machine, random, ids } = parts;
  const file = fileIn(dataDirectory);
  return openStore({
    ...{ clock, machine, random, ids },
    database: config.database ? { url: config.database } : { file, empty: EMPTY_DATABASE },
    log: log.child({ part: 'store' }),
    migrations: migrationsOf(families),
    handlers: handlersOf(families),
  });
}
