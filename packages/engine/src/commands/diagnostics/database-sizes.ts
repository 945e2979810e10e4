import type { DatabaseSizes } from '../../interface/engine.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import { sizesOf } from '../catalog/sizes.ts';
import { viewCount } from '../views/view.ts';

const nothing = { data: 0, storage: 0, index: 0, objects: 0, collections: 0, indexes: 0, views: 0 };

/** Returns the sizes of databases by name. */
export function databaseSizes(store: ClusterStore): Record<string, DatabaseSizes> {
  return Object.fromEntries(
    store.databases().map((database) => {
      const all = store.collections(database);
      const { bytes, indexBytes, storage, objects, collections, indexes } = sizesOf(all);
      const views = viewCount(store, database, all);
      return [database, { data: bytes, storage, index: indexBytes, objects, collections, indexes, views }];
    }),
  );
}

export function totalSizes(databases: Readonly<Record<string, DatabaseSizes>>): DatabaseSizes {
  return Object.values(databases).reduce<DatabaseSizes>(
    (sum, one) => ({
      data: sum.data + one.data,
      storage: sum.storage + one.storage,
      index: sum.index + one.index,
      objects: sum.objects + one.objects,
      collections: sum.collections + one.collections,
      indexes: sum.indexes + one.indexes,
      views: sum.views + one.views,
    }),
    nothing,
  );
}
