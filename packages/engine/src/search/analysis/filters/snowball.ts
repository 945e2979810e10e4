import { createRequire } from 'node:module';
import { BoundedCache } from '@portolan/foundation/bounded-cache';
import { stemFilter, type TokenFilter } from '../token.ts';

type Stemmers = typeof import('snowball-stemmers');

const require = createRequire(import.meta.url);

let stemmers: Stemmers | undefined;

/** Maximum number of cached stems. Words repeat, and looking up a stem is faster than computing it. */
const STEMS_KEPT = 20_000;

/** Returns a stemmer of the Snowball library by name. Some stemmers have several names. */
export function snowball(name: string): TokenFilter {
  // Load these 24 languages on first use, since most clusters never use them.
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

/** Returns a stemmer of a newer Snowball version, which the library above lacks. */
export function laterSnowball(language: keyof typeof otherLanguages): TokenFilter {
  const { stemmer } = otherLanguages[language]() as { stemmer(word: string): string };
  return stemming(stemmer);
}

/** Maximum number of characters of a term to stem. Longer terms are not words, and stemmers take quadratic time. */
const LONGEST_WORD = 255;

export function stemming(stem: (word: string) => string): TokenFilter {
  const stems = new BoundedCache<string, string>({ entries: STEMS_KEPT });
  return stemFilter((word) => (word.length > LONGEST_WORD ? word : stems.of(word, stem)));
}
