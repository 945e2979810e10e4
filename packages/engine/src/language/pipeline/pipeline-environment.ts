import type { CollationSpec } from '../../bson/collation/index.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../expression/environment.ts';
import type { Filter } from '../filter/filter.ts';
import type { StatisticsWanted, SystemFacts } from './system/facts.ts';
import type { SearchFacts } from './system/search-facts.ts';

/** A collection by name; without a database it is in that of the command. */
export interface Namespace {
  readonly database?: string | undefined;
  readonly collection: string;
}

/** What pipelines see of the world around them: commands give it, everything is by name. */
export interface PipelineEnvironment {
  /** The collection whose documents come in; empty for `{aggregate: 1}`. */
  readonly namespace: { readonly database: string; readonly collection: string };
  /**
   * The documents of another collection or view; none where it is not there. The filter is a hint where to
   * look: documents that it does not match may come too.
   */
  read(namespace: Namespace, filter?: Filter): Iterable<RawDocument>;
  /** Specifications of the text and geographic indexes of another collection; absent where it is not there. */
  specialIndexes?(namespace: Namespace): Environment['specialIndexes'];
  /** Whether an index leads to what the filter matches. */
  selective?(namespace: Namespace, filter: Filter): boolean;
  /**
   * Puts these documents in the place of everything in the collection, at once. `timeseries` are the options of a
   * collection that is made for measurements.
   */
  replaceCollection(namespace: Namespace, docs: Iterable<RawDocument>, timeseries?: RawDocument): void;
  /** Of the unique indexes with a collation that hold all documents of a collection. Throws for a view. */
  uniqueKeys(namespace: Namespace, collation?: CollationSpec): readonly UniqueKey[];
  /** Writes one document over the one that it is merged with. */
  replaceOne(namespace: Namespace, before: RawDocument, after: RawDocument): void;
  insertOne(namespace: Namespace, doc: RawDocument): void;
  /** The answers of `$collStats` and `$indexStats`. */
  collectionStats(wanted: StatisticsWanted): Iterable<RawDocument>;
  indexStats(): Iterable<RawDocument>;
  /** What the deployment tells about itself; none where a pipeline sees no deployment. */
  readonly system?: SystemFacts;
  /** What its search indexes find; none where a pipeline sees no deployment. */
  readonly search?: SearchFacts;
}

export interface UniqueKey {
  /** Sorted names. */
  readonly fields: readonly string[];
  /** Documents without any of the fields do not stand in the index. */
  readonly sparse: boolean;
}

export interface PipelineOptions {
  readonly environment?: Environment;
  readonly pipelineEnvironment?: PipelineEnvironment;
  /** How many of the first stages are those of the view that is read. */
  readonly view?: number;
}

function refuse(): never {
  throw new ServerError('IllegalOperation', 'this pipeline cannot write');
}

/** That of a pipeline that sees no collection. */
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
