export type { CharFilterSpec } from './char-filters.ts';
export { type CustomAnalyzer, newAnalyzers, storedAnalyzers } from './custom-analyzer.ts';
export { parseDefinition, parseNewDefinition, type SearchIndexType, searchIndexTypes } from './definition.ts';
export { SearchDefinitionError } from './error.ts';
export type * from './field-types.ts';
export type * from './index-state.ts';
export {
  builtInAnalyzers,
  builtInName,
  MAX_DEFINITION_BYTES,
  MAX_DEFINITIONS_BYTES,
  MAX_INDEX_NAME,
  MAX_INDEXES,
} from './names.ts';
export { patternEngine, splitLookaheads } from './patterns.ts';
export { countReading } from './reading.ts';
export type { DelimiterOptions, TokenFilterSpec } from './token-filters.ts';
export type { TokenizerSpec } from './tokenizers.ts';
