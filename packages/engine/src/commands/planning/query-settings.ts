import type { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { QueryShape } from '../context/query-shape.ts';
import type { CommandRequest } from '../context/request.ts';
import { commandShapeHash } from './command-shape.ts';

/** Settings for queries of one shape, kept in memory until the cluster closes. */
export interface QuerySettings {
  readonly settings: RawDocument;
  readonly rejects: boolean;
  /** An example query with the shape, if the client sent one. */
  readonly representative?: RawDocument;
}

const settingsOf = new WeakMap<ClusterStore, Map<string, QuerySettings>>();

/** Returns the settings by the hash of the query shape. */
export function querySettings({ store }: Pick<ClusterContext, 'store'>): Map<string, QuerySettings> {
  let settings = settingsOf.get(store);
  if (settings === undefined) {
    settings = new Map();
    settingsOf.set(store, settings);
  }
  return settings;
}

/** Throws if the settings reject queries of this shape. */
export function checkQuerySettings(
  { name, database, body }: CommandRequest,
  shape: QueryShape,
  cluster: ClusterContext,
): void {
  const settings = settingsOf.get(cluster.store);
  if (settings === undefined || settings.size === 0) return;
  if (settings.get(commandShapeHash(name, shape, database, body))?.rejects !== true) return;
  throw new ServerError('QueryRejectedBySettings', 'Query rejected by admin query settings');
}
