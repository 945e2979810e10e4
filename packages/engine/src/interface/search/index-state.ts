import type { SearchIndexType } from './definition.ts';

/** This file contains the types of search indexes in the calls between the service and an engine. */

type Document = Readonly<Record<string, unknown>>;

export type SearchIndexStatus =
  | 'BUILDING'
  | 'DELETING'
  | 'DOES_NOT_EXIST'
  | 'FAILED'
  | 'PENDING'
  | 'READY'
  | 'STALE';

export type SynonymMappingStatus = 'BUILDING' | 'FAILED' | 'READY';

export interface NewSearchIndex {
  /** The id of the index: 24 hexadecimal digits. */
  readonly id: string;
  readonly database: string;
  readonly collection: string;
  readonly name: string;
  readonly type: SearchIndexType;
  /** The definition as the caller sent it, without defaults. */
  readonly definition: Document;
  /** The custom analyzers of the cluster, as the caller sent them. The definition may refer to them. */
  readonly analyzers?: readonly Document[];
}
