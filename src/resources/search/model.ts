export type {
  NewSearchIndex,
  SearchIndexStatus,
  SearchIndexType,
  SynonymMappingStatus,
} from '../../engine/index.ts';
