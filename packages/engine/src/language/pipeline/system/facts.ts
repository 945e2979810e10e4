import type { RawDocument } from '../../../bson/raw.ts';

/** What a deployment tells about itself, for stages that begin a pipeline: commands give it. */
export interface SystemFacts {
  operations(wanted: OperationsWanted): Iterable<RawDocument>;
  sessions(wanted: SessionsWanted): Iterable<RawDocument>;
  /** The collections of a database, or of all of them when it is `admin`. */
  catalog(wanted: CatalogWanted): Iterable<RawDocument>;
  /** Plans kept for the collection of the pipeline; `undefined` where there is no such collection. */
  plans(): Iterable<RawDocument> | undefined;
  /** What was decided about queries, by their shapes, which are shown where that is wanted. */
  querySettings(shapes: boolean): Iterable<RawDocument>;
}

interface OperationsWanted {
  readonly allUsers: boolean;
  readonly idleConnections: boolean;
  readonly idleCursors: boolean;
  readonly idleSessions: boolean;
  readonly truncateOps: boolean;
}

/** Without `owners` and `all`: the sessions of the caller. */
export interface SessionsWanted {
  /** `database.username` */
  readonly owners?: ReadonlySet<string>;
  readonly all: boolean;
}

interface CatalogWanted {
  readonly shards: boolean;
}

/** What `$collStats` is asked for. */
export interface StatisticsWanted {
  readonly latency?: { readonly histograms: boolean };
  readonly storage?: { readonly scale: number };
  readonly count: boolean;
  readonly executions: boolean;
}
