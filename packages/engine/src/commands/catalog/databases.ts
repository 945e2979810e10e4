import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { ownDatabases } from '../../interface/namespaces.ts';
import { checkAllowed } from '../../language/filter/allowed.ts';
import { compileFilter } from '../../language/filter/index.ts';
import { audited } from '../../observe/audited.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import { command } from '../shared/define.ts';
import { onDatabase } from '../shared/namespace.ts';
import { reading, writing } from '../shared/presets.ts';
import { sizesOf } from './sizes.ts';

const listDatabases = command({
  name: 'listDatabases',
  ...reading,
  database: 'admin',
  stableApi: true,
  // Requires no privileges. Callers without the action `listDatabases` see only the databases on which they
  // have privileges.
  privileges: () => [],
  fields: { listDatabases: 'any', filter: 'object', nameOnly: 'truth', authorizedDatabases: 'bool' },
  run({ filter, nameOnly = false, authorizedDatabases }, request, cluster) {
    const { store } = cluster;
    if (filter !== undefined) checkAllowed(filter);
    const matches = filter && compileFilter(filter);
    const found = databasesFor(request, cluster, authorizedDatabases)
      .map((name) => ({ name, ...(nameOnly ? {} : sizeOf(store, name)) }))
      .filter((entry) => matches?.matches(new RawDocument(encodeDocument(entry))) ?? true);
    if (nameOnly) return { databases: found };
    const totalSize = found.reduce((sum, { sizeOnDisk = 0n }) => sum + sizeOnDisk, 0n);
    return { databases: found, totalSize, totalSizeMb: totalSize / (1024n * 1024n) };
  },
});

function databasesFor(
  request: CommandRequest,
  { store, accounts }: ClusterContext,
  authorizedOnly: boolean | undefined,
): string[] {
  const { user } = request.caller;
  const names = [...new Set([...ownDatabases, ...store.databases()])].sort();
  const all = accounts.allows(user, [{ action: 'listDatabases' }]);
  if (all && authorizedOnly !== true) return names;
  if (authorizedOnly === false) {
    throw new ServerError('Unauthorized', 'Insufficient permissions to list all databases');
  }
  return names.filter((database) => accounts.allows(user, [{ action: 'find', database, collection: '' }]));
}

function sizeOf(store: ClusterStore, database: string): { sizeOnDisk: bigint; empty: boolean } {
  const { storage, indexBytes } = sizesOf(store.collections(database));
  return { sizeOnDisk: BigInt(storage + indexBytes), empty: false };
}

const dropDatabase = command({
  name: 'dropDatabase',
  ...writing,
  stableApi: true,
  inOplog: true,
  audit: audited('dropDatabase', ({ database: ns }) => ({ ns })),
  privileges: onDatabase('dropDatabase'),
  fields: { dropDatabase: 'int!' },
  run(args, { database }, { store }) {
    if (args.dropDatabase !== 1) {
      throw new ServerError(5255100, "have to pass 1 as 'dropDatabase' parameter");
    }
    if (database === 'local') {
      throw new ServerError('IllegalOperation', "Cannot drop 'local' database while replication is active");
    }
    if (database === 'admin') {
      throw new ServerError('IllegalOperation', "Dropping the 'admin' database is prohibited.");
    }
    const collections = store.collections(database);
    if (collections.length === 0) return {};
    for (const collection of collections) store.drop(collection);
    store.databaseDropped(database);
    return {};
  },
});

export const databaseCommands: readonly Command[] = [listDatabases, dropDatabase];
