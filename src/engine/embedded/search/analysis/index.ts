export { analyzerNamed } from './named.ts';
export type { Analyzer, Token } from './token.ts';
