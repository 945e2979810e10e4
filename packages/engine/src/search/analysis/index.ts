export { autocompleteAnalyzer, completedWords } from './autocomplete.ts';
export { customAnalyzer } from './custom.ts';
export { analyzerNamed } from './named.ts';
export { inPieces, tokensOf } from './pieces.ts';
export { type Analyzer, MAX_TOKENS, type Token } from './token.ts';
