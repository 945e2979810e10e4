import type { CollationSpec } from '../../bson/collation/index.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../environment.ts';
import type { Filter } from '../filter/filter.ts';
import type { StatisticsRequest, SystemFacts } from './system/facts.ts';
import type { SearchFacts } from './system/search-facts.ts';

/** A collection by name; the database defaults to the command's. */
export interface Namespace {
  readonly database?: string | undefined;
  readonly collection: string;
}

/** The environment of a pipeline, provided by commands; collections are addressed by name. */
export interface PipelineEnvironment {
  /** The source collection; an empty name for `{aggregate: 1}`. */
  readonly namespace: { readonly database: string; readonly collection: string };
  /**
   * The documents of another collection or view; none if it does not exist. The filter is a hint: the result
   * may include documents that do not match.
   */
  read(namespace: Namespace, filter?: Filter): Iterable<RawDocument>;
  /** The text and geographic indexes of another collection; absent if it does not exist. */
  specialIndexes?(namespace: Namespace): Environment['specialIndexes'];
  /** True if an index supports the filter. */
  selective?(namespace: Namespace, filter: Filter): boolean;
  /** Replaces all documents of a collection atomically. `timeseries` are the options of a time series collection. */
  replaceCollection(namespace: Namespace, docs: Iterable<RawDocument>, timeseries?: RawDocument): void;
  /** The unique, non-partial indexes of a collection with this collation. Throws for a view. */
  uniqueKeys(namespace: Namespace, collation?: CollationSpec): readonly UniqueKey[];
  /** Replaces a document by the result of merging it. */
  replaceOne(namespace: Namespace, before: RawDocument, after: RawDocument): void;
  insertOne(namespace: Namespace, doc: RawDocument): void;
  /** The output of `$collStats` and `$indexStats`. */
  collectionStats(wanted: StatisticsRequest): Iterable<RawDocument>;
  indexStats(): Iterable<RawDocument>;
  /** Information about the deployment; absent if the pipeline has no access to it. */
  readonly system?: SystemFacts;
  /** Search indexes; absent if the pipeline has no access to the deployment. */
  readonly search?: SearchFacts;
}

export interface UniqueKey {
  /** Sorted names. */
  readonly fields: readonly string[];
  /** The index omits documents without any of the fields. */
  readonly sparse: boolean;
}

export interface PipelineOptions {
  readonly environment?: Environment;
  readonly pipelineEnvironment?: PipelineEnvironment;
  /** The number of leading stages that belong to the view being read. */
  readonly view?: number;
}

function refuse(): never {
  throw new ServerError('IllegalOperation', 'this pipeline cannot write');
}

/** The environment of a pipeline without collections. */
export const withoutCollections: PipelineEnvironment = {
  namespace: { database: '', collection: '' },
  read: () => [],
  replaceCollection: refuse,
  uniqueKeys: () => [{ fields: ['_id'], sparse: false }],
  replaceOne: refuse,
  insertOne: refuse,
  collectionStats: () => [],
  indexStats: () => [],
};
