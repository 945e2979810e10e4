import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { ClusterContext } from '../context/cluster.ts';
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

/**
 * Returns the indexes to which the query settings restrict a query on a collection. Throws if the settings reject
 * queries of this shape.
 */
export function applyQuerySettings(
  request: CommandRequest,
  collection: Collection | undefined,
  cluster: ClusterContext,
): readonly Value[] | undefined {
  const settings = findQuerySettings(request, cluster);
  if (settings?.rejects === true) {
    throw new ServerError('QueryRejectedBySettings', 'Query rejected by admin query settings');
  }
  return allowedIndexes(settings, collection);
}

/** Returns the settings for the query shape of a command. */
function findQuerySettings(
  { name, database, body }: CommandRequest,
  { store }: ClusterContext,
): QuerySettings | undefined {
  const settings = settingsOf.get(store);
  if (settings === undefined || settings.size === 0) return undefined;
  return settings.get(commandShapeHash(name, database, body) ?? '');
}

/** Returns the settings for the query shape with this hash. */
export function settingsOfShape(
  hash: string | undefined,
  { store }: ClusterContext,
): QuerySettings | undefined {
  return hash === undefined ? undefined : settingsOf.get(store)?.get(hash);
}

/** Returns the names or key patterns of the indexes that the settings allow, or undefined if they allow all. */
export function allowedIndexes(
  settings: QuerySettings | undefined,
  collection: Collection | undefined,
): readonly Value[] | undefined {
  const hints = settings?.settings.get('indexHints');
  if (hints === undefined || collection === undefined) return undefined;
  const entries = hints.type === bsonTypes.array ? entriesOf(hints) : [hints];
  const own = entries.map(documentOf).find((hint) => {
    const ns = hint.document('ns');
    return ns?.string('db') === collection.database && ns.string('coll') === collection.name;
  });
  return own?.array('allowedIndexes');
}
