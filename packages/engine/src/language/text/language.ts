import { createRequire } from 'node:module';
import { BoundedCache } from '@portolan/foundation/bounded-cache';
import { ServerError } from '../../errors/server-error.ts';
import { stopWords } from './stop-words.ts';
import { type Language, termOf } from './terms.ts';

/**
 * Languages with all their names. The first name is also that of the stemmer. Text indexes know the first two names; those
 * of version 1 know all.
 */
const names = [
  ['danish', 'da', 'dan'],
  ['dutch', 'nl', 'nld', 'dut'],
  ['english', 'en', 'eng'],
  ['finnish', 'fi', 'fin'],
  ['french', 'fr', 'fra', 'fre'],
  ['german', 'de', 'deu', 'ger'],
  ['hungarian', 'hu', 'hun'],
  ['italian', 'it', 'ita'],
  ['norwegian', 'nb', 'nob', 'no', 'nor'],
  ['portuguese', 'pt', 'por'],
  ['romanian', 'ro', 'ron', 'rum'],
  ['russian', 'ru', 'rus'],
  ['spanish', 'es', 'esp', 'spa'],
  ['swedish', 'sv', 'swe'],
  ['turkish', 'tr', 'tur'],
] as const;

const canonical = canonicalNames((all) => all.slice(0, 2));
const canonicalInVersion1 = canonicalNames((all) => all);

function canonicalNames(choose: (all: readonly string[]) => readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.flatMap((all) => choose(all).map((one) => [one, all[0]] as const)));
}

/** Returns the main name of a language, or undefined if text indexes of the version do not know it. */
function knownName(name: string, version: number): string | undefined {
  const lower = name.toLowerCase();
  return lower === 'none' ? 'none' : (version === 1 ? canonicalInVersion1 : canonical).get(lower);
}

export function isLanguage(name: string, version: number): boolean {
  return knownName(name, version) !== undefined;
}

/** Maximum length of a word to stem, in characters. Longer ones are not words, and stemmers take quadratic time. */
const LONGEST_WORD = 255;
/** Maximum number of cached terms per language. The cache pays off because texts repeat words. */
const TERMS_KEPT = 50_000;

const languages = new Map<string, Language>([
  ['none', withCache({ name: 'none', stem: (word) => word, isStopWord: () => false })],
]);

/** Returns the language with this name, or undefined if text indexes of the version do not know it. */
export function languageNamed(name: string, version = 3): Language | undefined {
  const known = knownName(name, version);
  if (known === undefined) return undefined;
  let language = languages.get(known);
  if (language === undefined) {
    language = makeLanguage(known);
    languages.set(known, language);
  }
  return language;
}

/** Returns the language of a query. Throws `BadValue` for an unsupported one. */
export function queryLanguage(name: string, version: number): Language {
  const language = languageNamed(name, version);
  if (language !== undefined) return language;
  throw new ServerError('BadValue', `unsupported language: "${name}" for text index version ${version}`);
}

type Stemmers = typeof import('snowball-stemmers');
let stemmers: Stemmers | undefined;

function makeLanguage(name: string): Language {
  // Load the stemmers of 15 languages on first use, since most clusters never use them.
  stemmers ??= createRequire(import.meta.url)('snowball-stemmers') as Stemmers;
  const stemmer = stemmers.newStemmer(name);
  const stops = stopWords(name);
  return withCache({
    name,
    isStopWord: (word) => stops.has(word),
    stem: (word) => (word.length > LONGEST_WORD ? word : stemmer.stem(word)),
  });
}

/** Matches numbers, which have no stem and are never stop words. They are not cached, because they rarely repeat. */
const NUMBER = /^[0-9]+$/;

function withCache(language: Omit<Language, 'term'>): Language {
  const terms = new BoundedCache<string, string>({ entries: TERMS_KEPT });
  const make = (word: string) => termOf(word, language, false, false);
  return { ...language, term: (word) => (NUMBER.test(word) ? word : terms.of(word, make)) };
}
