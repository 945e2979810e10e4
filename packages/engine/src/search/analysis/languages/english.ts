import { englishPossessive, porterStemming } from '../filters/english.ts';
import { lowercase } from '../filters/lowercase.ts';
import { stopWords } from '../filters/stop-words.ts';
import { type Analyzer, analyzerOf } from '../token.ts';
import { standardTokenizer } from '../tokenizers/standard.ts';

/** Lucene's list of English stop words. It is much shorter than the lists of other languages. */
const STOP_WORDS = `a an and are as at be but by for if in into is it no not of on or such that the their then there these
  they this to was will with`;

export function english(): Analyzer {
  return analyzerOf({
    tokenizer: standardTokenizer(),
    tokenFilters: [englishPossessive, lowercase, stopWords(new Set(STOP_WORDS.split(/\s+/))), porterStemming],
  });
}
