import type {
  CharFilterSpec,
  CustomAnalyzer,
  TokenFilterSpec,
  TokenizerSpec,
} from '../../interface/search/index.ts';
import { icuNormalize, mapping, persian } from './char-filters/characters.ts';
import { htmlStrip } from './char-filters/html.ts';
import { englishMinimalStemming, englishPossessive, porterStemming } from './filters/english.ts';
import { asciiFolding, icuFolding } from './filters/folding.ts';
import { gramFilter } from './filters/grams.ts';
import { kStemming } from './filters/kstem.ts';
import { lowercase } from './filters/lowercase.ts';
import { replacePattern } from './filters/patterns.ts';
import { shingles } from './filters/shingles.ts';
import { laterSnowball, snowball } from './filters/snowball.ts';
import { daitchMokotoffSoundex } from './filters/soundex.ts';
import { spanishPluralStemming } from './filters/spanish-plural.ts';
import {
  keywordRepeat,
  lengthBetween,
  normalize,
  removeDuplicates,
  reverse,
  stopWordsOf,
  trim,
} from './filters/terms.ts';
import { wordDelimiter } from './filters/word-delimiter.ts';
import { germanNormalization } from './languages/normalization.ts';
import { estonianStemming, polishStemming } from './languages/suffixes.ts';
import { type Analyzer, analyzerOf, type CharFilter, type TokenFilter, type Tokenizer } from './token.ts';
import { addressTokenizer } from './tokenizers/addresses.ts';
import { gramTokenizer } from './tokenizers/grams.ts';
import { captureTokenizer, splitTokenizer } from './tokenizers/patterns.ts';
import { keywordTokenizer, whitespaceTokenizer } from './tokenizers/simple.ts';
import { standardTokenizer } from './tokenizers/standard.ts';

export function customAnalyzer(spec: CustomAnalyzer): Analyzer {
  const filters = {
    charFilters: spec.charFilters.map(charFilterOf),
    tokenFilters: spec.tokenFilters.flatMap(tokenFilterOf),
  };
  const whole = analyzerOf({ ...filters, tokenizer: keywordTokenizer });
  return Object.assign(analyzerOf({ ...filters, tokenizer: tokenizerOf(spec.tokenizer) }), { whole });
}

function charFilterOf(spec: CharFilterSpec): CharFilter {
  switch (spec.type) {
    case 'htmlStrip':
      return htmlStrip(spec.ignoredTags);
    case 'icuNormalize':
      return icuNormalize;
    case 'mapping':
      return mapping(spec.mappings);
    case 'persian':
      return persian;
  }
}

function tokenizerOf(spec: TokenizerSpec): Tokenizer {
  switch (spec.type) {
    case 'edgeGram':
    case 'nGram':
      return gramTokenizer(spec.minGram, spec.maxGram, spec.type === 'edgeGram');
    case 'keyword':
      return keywordTokenizer;
    case 'regexCaptureGroup':
      return captureTokenizer(spec.pattern, spec.group);
    case 'regexSplit':
      return splitTokenizer(spec.pattern);
    case 'standard':
      return standardTokenizer(spec.maxTokenLength);
    case 'uaxUrlEmail':
      return addressTokenizer(spec.maxTokenLength);
    case 'whitespace':
      return whitespaceTokenizer(spec.maxTokenLength);
  }
}

function tokenFilterOf(spec: TokenFilterSpec): TokenFilter | readonly TokenFilter[] {
  switch (spec.type) {
    case 'asciiFolding':
      return asciiFolding(spec.keepOriginals);
    case 'daitchMokotoffSoundex':
      return daitchMokotoffSoundex(spec.keepOriginals);
    case 'edgeGram':
      return gramFilter({ ...spec, from: 'start' });
    case 'englishMinimalStemming':
      return englishMinimalStemming;
    case 'englishPossessive':
      return englishPossessive;
    case 'flattenGraph':
      // Ignore this filter: tokens have a position but no length, so a token graph is always flat.
      return [];
    case 'icuFolding':
      return icuFolding;
    case 'icuNormalizer':
      return normalize(spec.normalizationForm);
    case 'keywordRepeat':
      return keywordRepeat;
    case 'kStemming':
      return kStemming;
    case 'length':
      return lengthBetween(spec.min, spec.max);
    case 'lowercase':
      return lowercase;
    case 'nGram':
      return gramFilter({ ...spec, from: 'everywhere' });
    case 'porterStemming':
      return porterStemming;
    case 'regex':
      return replacePattern(spec.pattern, spec.replacement, spec.all);
    case 'removeDuplicates':
      return removeDuplicates;
    case 'reverse':
      return reverse;
    case 'shingle':
      return shingles(spec.minShingleSize, spec.maxShingleSize);
    case 'snowballStemming':
      return stemmerNamed(spec.stemmerName);
    case 'spanishPluralStemming':
      return spanishPluralStemming;
    case 'stempel':
      return polishStemming;
    case 'stopword':
      return stopWordsOf(spec.tokens, spec.ignoreCase);
    case 'trim':
      return trim;
    case 'wordDelimiterGraph':
      return wordDelimiter(spec.delimiterOptions, spec.protectedWords);
  }
}

/**
 * Returns a stemmer by name. Stemmers that no library implements are replaced by the closest one: `kp` by another
 * Dutch stemmer, `lovins` by another English one.
 */
function stemmerNamed(name: string): TokenFilter | readonly TokenFilter[] {
  if (name === 'german2') return [germanNormalization, snowball('german')];
  if (name === 'kp') return snowball('dutch');
  if (name === 'lovins') return snowball('porter');
  if (name === 'estonian') return estonianStemming;
  if (name === 'lithuanian') return laterSnowball('lithuanian');
  return snowball(name);
}
