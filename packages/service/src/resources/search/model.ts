export type {
  NewSearchIndex,
  SearchIndexStatus,
  SearchIndexType,
  SynonymMappingStatus,
} from '@portolan/engine/management';
