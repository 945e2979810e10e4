export { autocompleteAnalyzer, completedWords } from './autocomplete.ts';
export { customAnalyzer } from './custom.ts';
export { analyzerNamed } from './named.ts';
export type { Analyzer, Token } from './token.ts';
