import { lowercase } from './filters/lowercase.ts';
import { english } from './languages/english.ts';
import { languageAnalyzers } from './languages/languages.ts';
import { type Analyzer, analyzerOf } from './token.ts';
import { keywordTokenizer, letterTokenizer, whitespaceTokenizer } from './tokenizers/simple.ts';
import { standardTokenizer } from './tokenizers/standard.ts';

/** Analyzers by the last part of their names. */
const makers: Readonly<Record<string, () => Analyzer>> = {
  standard: () => analyzerOf({ tokenizer: standardTokenizer(), tokenFilters: [lowercase] }),
  simple: () => analyzerOf({ tokenizer: letterTokenizer, tokenFilters: [lowercase] }),
  whitespace: () => analyzerOf({ tokenizer: whitespaceTokenizer() }),
  keyword: () => analyzerOf({ tokenizer: keywordTokenizer }),
  english,
  ...languageAnalyzers,
};

const made = new Map<string, Analyzer>();

/**
 * Built-in analyzers by their names in the API or in drivers: `lib.english`, `lucene.english`. Undefined for others.
 */
export function analyzerNamed(name: string): Analyzer | undefined {
  const [, last] = /^(?:lib|lucene)\.(\w+)$/.exec(name) ?? [];
  if (last === undefined || !Object.hasOwn(makers, last)) return undefined;
  let analyzer = made.get(last);
  if (analyzer === undefined) {
    analyzer = (makers[last] as () => Analyzer)();
    made.set(last, analyzer);
  }
  return analyzer;
}
