import type { CollationSpec } from '../../bson/collation/index.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../environment.ts';
import type { Filter } from '../filter/filter.ts';
import type { StatisticsRequest, SystemFacts } from './system/facts.ts';
import type { SearchFacts } from './system/search-facts.ts';

/** The name of a collection. The database defaults to that of the command. */
export interface Namespace {
  readonly database?: string | undefined;
  readonly collection: string;
}

/** The environment that a command provides for a pipeline. It addresses collections by name. */
export interface PipelineEnvironment {
  /** The source collection. Its name is empty for `{aggregate: 1}`. */
  readonly namespace: { readonly database: string; readonly collection: string };
  /**
   * Returns the documents of another collection or view, or none if it does not exist. `filter` is a hint: the result
   * may include documents that do not match. `depth` is the number of pipelines around the reading stage.
   */
  read(namespace: Namespace, filter?: Filter, depth?: number): Iterable<RawDocument>;
  /**
   * Returns the text and geographic indexes of another collection, or undefined if the collection does not
   * exist.
   */
  specialIndexes?(namespace: Namespace): Environment['specialIndexes'];
  /** True if an index supports the filter. */
  selective?(namespace: Namespace, filter: Filter): boolean;
  /**
   * Replaces all documents of a collection atomically. `timeseries` contains the options if the collection is a time
   * series collection.
   */
  replaceCollection(namespace: Namespace, docs: Iterable<RawDocument>, timeseries?: RawDocument): void;
  /** Returns the unique, non-partial indexes of a collection that have this collation. Throws for a view. */
  uniqueKeys(namespace: Namespace, collation?: CollationSpec): readonly UniqueKey[];
  /** Replaces `before`, a document of the collection, by `after`. */
  replaceOne(namespace: Namespace, before: RawDocument, after: RawDocument): void;
  insertOne(namespace: Namespace, doc: RawDocument): void;
  /** Returns the output of `$collStats` for a collection; by default for the collection of the command. */
  collectionStats(wanted: StatisticsRequest, namespace?: Namespace): Iterable<RawDocument>;
  /** Returns the output of `$indexStats` for a collection; by default for the collection of the command. */
  indexStats(namespace?: Namespace): Iterable<RawDocument>;
  /** Information about the deployment; absent if the pipeline cannot access it. */
  readonly system?: SystemFacts;
  /** Search indexes; absent if the pipeline cannot access the deployment. */
  readonly search?: SearchFacts;
}

export interface UniqueKey {
  /** The names of the fields, sorted. */
  readonly fields: readonly string[];
  /** True if the index omits documents that have none of the fields. */
  readonly sparse: boolean;
}

export interface PipelineOptions {
  readonly environment?: Environment;
  readonly pipelineEnvironment?: PipelineEnvironment;
  /** The number of leading stages that come from the definition of a view. */
  readonly view?: number;
  /** The number of pipelines around this one. */
  readonly depth?: number;
}

function refuse(): never {
  throw new ServerError('IllegalOperation', 'this pipeline cannot write');
}

/** The environment of a pipeline that cannot access any collection. */
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
