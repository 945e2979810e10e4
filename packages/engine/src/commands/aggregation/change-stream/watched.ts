import { ownDatabases } from '../../../interface/namespaces.ts';
import type { Collection } from '../../../storage/collection/collection.ts';
import type { RecentEntry } from '../../../storage/oplog/recent.ts';
import type { StreamOptions } from './options.ts';

/** The target of a change stream: a collection, a database, or all user databases. */
export interface Watched {
  readonly scope: 'collection' | 'database' | 'cluster';
  readonly database: string;
  readonly name: string;
  readonly options: StreamOptions;
  /** Returns the collection in its current state. */
  find(database: string, name: string): Collection | undefined;
}

export function watches(watched: Watched, database: string, name: string): boolean {
  if (watched.scope === 'collection') return watched.database === database && watched.name === name;
  if (name.startsWith('system.') && !watched.options.showSystemEvents) return false;
  return watchesDatabase(watched, database);
}

export function watchesDatabase({ scope, database: own }: Watched, database: string): boolean {
  return scope === 'cluster' ? !ownDatabases.has(database) : own === database;
}

/** The collection that stores a database's view definitions. */
const VIEWS = 'system.views';

/**
 * True if changes of this collection are reported as changes of views. This is the case only in streams with
 * `showExpandedEvents` on databases or the cluster.
 */
export function watchesViews(watched: Watched, database: string, name: string): boolean {
  if (name !== VIEWS || watched.scope === 'collection') return false;
  return watched.options.showExpandedEvents && watchesDatabase(watched, database);
}

/** True if the entry may contain an event of the stream, before the pipeline of the stream. */
export function mayConcern(
  watched: Watched,
  { database, collection }: Pick<RecentEntry, 'database' | 'collection'>,
): boolean {
  if (database === '') return true;
  if (collection !== undefined) {
    return watches(watched, database, collection) || watchesViews(watched, database, collection);
  }
  return watchesDatabase(watched, database);
}

export interface Namespace {
  readonly db: string;
  readonly coll: string;
}

export function namespaceOf(ns: string): Namespace {
  const dot = ns.indexOf('.');
  return { db: ns.slice(0, dot), coll: ns.slice(dot + 1) };
}
