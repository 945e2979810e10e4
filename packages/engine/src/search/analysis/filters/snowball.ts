import { createRequire } from 'node:module';
import { BoundedCache } from '@portolan/foundation/bounded-cache';
import { type TokenFilter, termFilter } from '../token.ts';

type Stemmers = typeof import('snowball-stemmers');

const require = createRequire(import.meta.url);

let stemmers: Stemmers | undefined;

/** Words repeat, so that this many stems are cached. */
const STEMS_KEPT = 20_000;

/** A stemmer of the Snowball library by its name; several names share one. */
export function snowball(name: string): TokenFilter {
  // Loaded on first use: most clusters never need these 24 languages.
  stemmers ??= require('snowball-stemmers') as Stemmers;
  const stemmer = stemmers.newStemmer(name);
  return stemming((word) => stemmer.stem(word));
}

const otherLanguages = {
  greek: () => require('@orama/stemmers/greek'),
  hindi: () => require('@orama/stemmers/indian'),
  indonesian: () => require('@orama/stemmers/indonesian'),
  lithuanian: () => require('@orama/stemmers/lithuanian'),
  ukrainian: () => require('@orama/stemmers/ukrainian'),
} as const;

/** Stemmers that the Snowball library above is too old to have. */
export function laterSnowball(language: keyof typeof otherLanguages): TokenFilter {
  const { stemmer } = otherLanguages[language]() as { stemmer(word: string): string };
  return stemming(stemmer);
}

/**
 * Maximum number of characters of a stemmed term: longer terms are no words, and the time of stemmers grows with the
 * square of the length.
 */
const LONGEST_WORD = 255;

export function stemming(stem: (word: string) => string): TokenFilter {
  const stems = new BoundedCache<string, string>({ entries: STEMS_KEPT });
  return termFilter((word) => (word.length > LONGEST_WORD ? word : stems.of(word, stem)));
}
