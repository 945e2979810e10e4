import { createRequire } from 'node:module';
import { ServerError } from '../../errors/server-error.ts';
import { stopWords } from './stop-words.ts';
import { type Language, termOf } from './terms.ts';

/** Languages by every name that they may be called by; the first is the one of their stemmer. */
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

const canonical = new Map<string, string>(
  names.flatMap(([name, ...others]) => [name, ...others].map((one) => [one, name] as const)),
);

/** Terms that were worked out are kept up to this number: texts repeat their words. */
const TERMS_KEPT = 50_000;

const languages = new Map<string, Language>([
  ['none', remembering({ name: 'none', stem: (word) => word, isStopWord: () => false })],
]);

/** None where there is no language of that name. */
export function languageNamed(name: string): Language | undefined {
  const lower = name.toLowerCase();
  const known = lower === 'none' ? 'none' : canonical.get(lower);
  if (known === undefined) return undefined;
  let language = languages.get(known);
  if (language === undefined) {
    language = makeLanguage(known);
    languages.set(known, language);
  }
  return language;
}

/** Throws `BadValue` for a language that is not there. */
export function queryLanguage(name: string): Language {
  const language = languageNamed(name);
  if (language !== undefined) return language;
  throw new ServerError('BadValue', `unsupported language: "${name}" for text index version 3`);
}

type Stemmers = typeof import('snowball-stemmers');
let stemmers: Stemmers | undefined;

function makeLanguage(name: string): Language {
  // Loaded when first used: 15 languages of stemmers that most clusters never need.
  stemmers ??= createRequire(import.meta.url)('snowball-stemmers') as Stemmers;
  const stemmer = stemmers.newStemmer(name);
  const stops = stopWords(name);
  return remembering({
    name,
    isStopWord: (word) => stops.has(word),
    stem: (word) => stemmer.stem(word),
  });
}

function remembering(language: Omit<Language, 'term'>): Language {
  const kept = new Map<string, string>();
  return {
    ...language,
    term(word) {
      let term = kept.get(word);
      if (term === undefined) {
        term = termOf(word, language, false, false);
        if (kept.size >= TERMS_KEPT) kept.clear();
        kept.set(word, term);
      }
      return term;
    },
  };
}
