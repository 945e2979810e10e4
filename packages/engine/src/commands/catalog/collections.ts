import type { Reply } from '../../message/reply.ts';
import { auditedNamespace } from '../../observe/audited.ts';
import { BUCKETS } from '../../storage/buckets/layout.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { checkNamespace, onCollection } from '../shared/namespace.ts';
import { writing } from '../shared/presets.ts';
import { usageOf } from '../shared/usage.ts';
import { checkUuid } from '../shared/uuid.ts';
import { findView, removeView } from '../views/view.ts';
import { removeBuckets } from './create/buckets.ts';

const drop = command({
  name: 'drop',
  ...writing,
  stableApi: true,
  inOplog: true,
  audit: auditedNamespace('dropCollection', 'drop'),
  privileges: onCollection('dropCollection'),
  fields: { drop: 'collection!', collectionUUID: 'uuid' },
  run(args, { database }, cluster) {
    const ns = checkNamespace(database, args.drop);
    const { store } = cluster;
    checkUuid(args.collectionUUID, database, args.drop, store);
    if (store.collection(database, args.drop) !== undefined)
      return dropCollection(database, withoutBuckets(args.drop), cluster);
    if (findView(store, database, args.drop) === undefined) return {};
    removeView(store, database, args.drop);
    return { ns };
  },
});

/**
 * If the name is that of the buckets collection of a time series, returns the name of the time series.
 * Dropping either of them drops both.
 */
function withoutBuckets(name: string): string {
  return name.startsWith(BUCKETS) ? name.slice(BUCKETS.length) : name;
}

/** Drops a collection, its statistics and, for a time series, its view. */
function dropCollection(database: string, name: string, cluster: ClusterContext): Reply {
  const { store } = cluster;
  const collection = store.collection(database, name);
  if (collection === undefined) return {};
  const { namespace } = collection;
  const timeseries = collection.options.has('timeseries');
  const nIndexesWas = collection.indexes.length + (collection.options.has('clusteredIndex') ? 0 : 1);
  store.drop(collection);
  usageOf(cluster).forget(namespace);
  if (timeseries) removeBuckets(store, database, name);
  return timeseries ? { ns: namespace } : { nIndexesWas, ns: namespace };
}

export const collectionCommands: readonly Command[] = [drop];
