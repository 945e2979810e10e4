import { lowercase } from './filters/lowercase.ts';
import { english } from './languages/english.ts';
import { languageAnalyzers } from './languages/languages.ts';
import { type Analyzer, analyzerOf } from './token.ts';
import { keywordTokenizer, letterTokenizer, whitespaceTokenizer } from './tokenizers/simple.ts';
import { standardTokenizer } from './tokenizers/standard.ts';

/** The built-in analyzers by the last part of their names. */
const makers: Readonly<Record<string, () => Analyzer>> = {
  standard: () => analyzerOf({ tokenizer: standardTokenizer(), tokenFilters: [lowercase] }),
  simple: () => analyzerOf({ tokenizer: letterTokenizer, tokenFilters: [lowercase] }),
  whitespace: () => analyzerOf({ tokenizer: whitespaceTokenizer() }),
  keyword: () => analyzerOf({ tokenizer: keywordTokenizer }),
  english,
  ...languageAnalyzers,
};

const unfiltered: readonly string[] = ['whitespace', 'keyword'];
/** The analyzer for patterns, such as those of `wildcard`. It lowercases patterns, but does not stem them. */
const lowercased = analyzerOf({ tokenizer: keywordTokenizer, tokenFilters: [lowercase] });

const made = new Map<string, Analyzer>();

/**
 * Returns a built-in analyzer by its name in the API or in drivers, such as `lib.english` or `lucene.english`. Returns
 * undefined for other names.
 */
export function analyzerNamed(name: string): Analyzer | undefined {
  const [, last] = /^(?:lib|lucene)\.(\w+)$/.exec(name) ?? [];
  if (last === undefined || !Object.hasOwn(makers, last)) return undefined;
  let analyzer = made.get(last);
  if (analyzer === undefined) {
    analyzer = (makers[last] as () => Analyzer)();
    if (!unfiltered.includes(last)) analyzer = Object.assign(analyzer, { whole: lowercased });
    made.set(last, analyzer);
  }
  return analyzer;
}
