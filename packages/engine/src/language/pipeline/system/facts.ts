import type { RawDocument } from '../../../bson/raw.ts';

/** Information about the deployment for stages at the start of a pipeline. Commands provide it. */
export interface SystemFacts {
  operations(wanted: OperationsRequest): Iterable<RawDocument>;
  sessions(wanted: SessionsRequest): Iterable<RawDocument>;
  /** Returns the collections of a database, or of all databases if the database is `admin`. */
  catalog(wanted: CatalogRequest): Iterable<RawDocument>;
  /** Returns the cached plans for the pipeline's collection, or `undefined` if the collection does not exist. */
  plans(): Iterable<RawDocument> | undefined;
  /** Returns the query settings. `shapes` requests the query shapes as well. */
  querySettings(shapes: boolean): Iterable<RawDocument>;
}

interface OperationsRequest {
  readonly allUsers: boolean;
  readonly idleConnections: boolean;
  readonly idleCursors: boolean;
  readonly idleSessions: boolean;
  readonly truncateOps: boolean;
}

/** Selects the caller's own sessions if neither `owners` nor `all` is set. */
export interface SessionsRequest {
  /** The users whose sessions are selected, as `database.username`. */
  readonly owners?: ReadonlySet<string>;
  readonly all: boolean;
}

interface CatalogRequest {
  readonly shards: boolean;
}

/** The options of `$collStats`. */
export interface StatisticsRequest {
  readonly latency?: { readonly histograms: boolean };
  readonly storage?: { readonly scale: number };
  readonly count: boolean;
  readonly executions: boolean;
}
