import type { SearchIndexType } from './definition.ts';

/** Search indexes as the service and an engine speak of them. */

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
  /** As it was given: it is answered without the defaults. */
  readonly definition: Document;
  /** Custom analyzers of the cluster, as they were given, which the definition may name. */
  readonly analyzers?: readonly Document[];
}
