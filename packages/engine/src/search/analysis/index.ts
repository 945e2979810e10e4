export { autocompleteAnalyzer, completedWords } from './autocomplete.ts';
export { customAnalyzer } from './custom.ts';
export { analyzerNamed } from './named.ts';
export { type Analyzer, allTokens, MAX_TERM, MAX_TOKENS, type Token } from './token.ts';
