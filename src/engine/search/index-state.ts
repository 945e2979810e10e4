import type { SearchIndexType } from './definition.ts';

/** Search indexes as the service and an engine speak of them. Times are service time, milliseconds since 1970. */

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

export interface SearchDefinitionVersion {
  /** From 0. */
  readonly version: number;
  readonly createdAt: number;
}

export interface SynonymMappingState {
  readonly status: SynonymMappingStatus;
  readonly queryable: boolean;
  readonly message?: string;
}

/** One version of an index on a member. */
export interface SearchIndexVersion {
  readonly definition: Document;
  readonly definitionVersion: SearchDefinitionVersion;
  readonly status: SearchIndexStatus;
  readonly queryable: boolean;
  /** Why it has failed, or does not follow. */
  readonly message?: string;
  /** Where the definition has synonyms. */
  readonly synonymMappingStatus?: SynonymMappingStatus;
  readonly synonymMappingStatusDetail?: Readonly<Record<string, SynonymMappingState>>;
}

export interface SearchIndexOnMember {
  readonly memberId: string;
  readonly hostname: string;
  readonly status: SearchIndexStatus;
  readonly queryable: boolean;
  /** The one that answers queries. */
  readonly mainIndex?: SearchIndexVersion;
  /** The one that is built to take its place. */
  readonly stagedIndex?: SearchIndexVersion;
}

export interface SearchIndexState {
  readonly id: string;
  readonly database: string;
  readonly collection: string;
  readonly name: string;
  readonly type: SearchIndexType;
  readonly latestDefinition: Document;
  readonly latestVersion: SearchDefinitionVersion;
  /** The worst of its members. */
  readonly status: SearchIndexStatus;
  /** On every member. */
  readonly queryable: boolean;
  readonly message?: string;
  readonly members: readonly SearchIndexOnMember[];
  readonly bytes: number;
  readonly documents: number;
}
