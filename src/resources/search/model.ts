export type { NewSearchIndex, SearchIndexStatus, SearchIndexType } from '../../engine/index.ts';
