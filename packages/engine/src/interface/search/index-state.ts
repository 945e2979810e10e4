import type { SearchIndexType } from './definition.ts';

/** Search indexes in the calls between the service and an engine. */

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
  /** 24 hexadecimal digits. */
  readonly id: string;
  readonly database: string;
  readonly collection: string;
  readonly name: string;
  readonly type: SearchIndexType;
  /** The definition as given, without defaults. */
  readonly definition: Document;
  /** Custom analyzers of the cluster, as given, which the definition may reference. */
  readonly analyzers?: readonly Document[];
}
