import type { PlainObject } from '@portolan/foundation/plain-object';
import { ownDatabases } from '../../interface/namespaces.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import { viewsOf } from '../views/view.ts';

/**
 * Returns the numbers of collections and views for `serverStatus`. Fields whose names begin with `internal` count those
 * of the server. All other fields count those of users, by kind.
 */
export function catalogStats(store: ClusterStore): PlainObject {
  const databases = store.databases();
  const collections = databases.flatMap((database) => store.collections(database));
  const ofUsers = collections.filter(
    ({ database, name }) => !ownDatabases.has(database) && !name.startsWith('system.'),
  );
  const having = (option: string) => ofUsers.filter(({ options }) => options.has(option)).length;
  const views = (own: boolean) =>
    databases
      .filter((database) => ownDatabases.has(database) === own)
      .reduce((sum, database) => sum + viewsOf(store, database).length, 0);
  const timeseries = having('timeseries');
  return {
    collections: ofUsers.length - timeseries,
    capped: having('capped'),
    clustered: having('clusteredIndex'),
    timeseries,
    views: views(false),
    internalCollections: collections.length - ofUsers.length,
    internalViews: views(true),
    systemProfile: collections.filter(({ name }) => name === 'system.profile').length,
  };
}
