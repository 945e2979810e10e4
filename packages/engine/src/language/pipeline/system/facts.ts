import type { RawDocument } from '../../../bson/raw.ts';

/** Information about the deployment for stages at the start of a pipeline, provided by commands. */
export interface SystemFacts {
  operations(wanted: OperationsRequest): Iterable<RawDocument>;
  sessions(wanted: SessionsRequest): Iterable<RawDocument>;
  /** The collections of a database, or of all databases for `admin`. */
  catalog(wanted: CatalogRequest): Iterable<RawDocument>;
  /** Cached plans for the pipeline's collection; `undefined` if it does not exist. */
  plans(): Iterable<RawDocument> | undefined;
  /** Query settings, with query shapes on request. */
  querySettings(shapes: boolean): Iterable<RawDocument>;
}

interface OperationsRequest {
  readonly allUsers: boolean;
  readonly idleConnections: boolean;
  readonly idleCursors: boolean;
  readonly idleSessions: boolean;
  readonly truncateOps: boolean;
}

/** Without `owners` and `all`: the caller's own sessions. */
export interface SessionsRequest {
  /** `database.username` */
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
