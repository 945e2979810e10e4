import { byType, nothing, span } from './kinds.ts';
import { type Reader, textElement } from './reading.ts';

interface Grams {
  readonly minGram: number;
  readonly maxGram: number;
  readonly keepOthers: boolean;
}

export interface DelimiterOptions {
  readonly generateWordParts: boolean;
  readonly generateNumberParts: boolean;
  readonly concatenateWords: boolean;
  readonly concatenateNumbers: boolean;
  readonly concatenateAll: boolean;
  readonly preserveOriginal: boolean;
  readonly splitOnCaseChange: boolean;
  readonly splitOnNumerics: boolean;
  readonly stemEnglishPossessive: boolean;
  readonly ignoreKeywords: boolean;
}

const normalizationForms = ['nfc', 'nfd', 'nfkc', 'nfkd'] as const;

const stemmerNames = [
  ...[
    'arabic',
    'armenian',
    'basque',
    'catalan',
    'danish',
    'dutch',
    'english',
    'estonian',
    'finnish',
    'french',
  ],
  ...[
    'german',
    'german2',
    'hungarian',
    'irish',
    'italian',
    'kp',
    'lithuanian',
    'lovins',
    'norwegian',
    'porter',
  ],
  ...['portuguese', 'romanian', 'russian', 'spanish', 'swedish', 'turkish'],
] as const;

type PlainType =
  | 'englishMinimalStemming'
  | 'englishPossessive'
  | 'flattenGraph'
  | 'icuFolding'
  | 'keywordRepeat'
  | 'kStemming'
  | 'lowercase'
  | 'porterStemming'
  | 'removeDuplicates'
  | 'reverse'
  | 'spanishPluralStemming'
  | 'stempel'
  | 'trim';

/** Filters that have no parameters. */
type PlainTokenFilter = { readonly [T in PlainType]: { readonly type: T } }[PlainType];

export type TokenFilterSpec =
  | PlainTokenFilter
  | { readonly type: 'asciiFolding'; readonly keepOriginals: boolean }
  | { readonly type: 'daitchMokotoffSoundex'; readonly keepOriginals: boolean }
  | ({ readonly type: 'edgeGram' } & Grams)
  | { readonly type: 'icuNormalizer'; readonly normalizationForm: (typeof normalizationForms)[number] }
  | { readonly type: 'length'; readonly min: number; readonly max: number }
  | ({ readonly type: 'nGram' } & Grams)
  | { readonly type: 'regex'; readonly pattern: string; readonly replacement: string; readonly all: boolean }
  | { readonly type: 'shingle'; readonly minShingleSize: number; readonly maxShingleSize: number }
  | { readonly type: 'snowballStemming'; readonly stemmerName: (typeof stemmerNames)[number] }
  | { readonly type: 'stopword'; readonly tokens: readonly string[]; readonly ignoreCase: boolean }
  | {
      readonly type: 'wordDelimiterGraph';
      readonly delimiterOptions: DelimiterOptions;
      readonly protectedWords: { readonly words: readonly string[]; readonly ignoreCase: boolean };
    };

const INCLUDE_OR_OMIT = ['include', 'omit'] as const;

export const tokenFilter = byType<TokenFilterSpec>({
  asciiFolding: (reader) => ({ keepOriginals: included(reader, 'originalTokens', 'omit') }),
  daitchMokotoffSoundex: (reader) => ({ keepOriginals: included(reader, 'originalTokens', 'include') }),
  edgeGram: grams,
  englishMinimalStemming: nothing,
  englishPossessive: nothing,
  flattenGraph: nothing,
  icuFolding: nothing,
  icuNormalizer: (reader) => ({
    normalizationForm: reader.optionalOneOf('normalizationForm', normalizationForms) ?? 'nfc',
  }),
  keywordRepeat: nothing,
  kStemming: nothing,
  length(reader) {
    const min = reader.optionalWhole('min', { min: 0 }) ?? 0;
    return { min, max: reader.optionalWhole('max', { min }) ?? Math.max(min, 255) };
  },
  lowercase: nothing,
  nGram: grams,
  porterStemming: nothing,
  regex(reader) {
    const pattern = reader.text('pattern');
    const replacement = textElement(reader.requiredAny('replacement'), reader.at('replacement'));
    return { pattern, replacement, all: reader.oneOf('matches', ['all', 'first']) === 'all' };
  },
  removeDuplicates: nothing,
  reverse: nothing,
  shingle(reader) {
    const [minShingleSize, maxShingleSize] = span(reader, 'minShingleSize', 'maxShingleSize', 2);
    return { minShingleSize, maxShingleSize };
  },
  snowballStemming: (reader) => ({ stemmerName: reader.oneOf('stemmerName', stemmerNames) }),
  spanishPluralStemming: nothing,
  stempel: nothing,
  stopword: (reader) => ({
    tokens: reader.list('tokens', textElement),
    ignoreCase: reader.flag('ignoreCase', true),
  }),
  trim: nothing,
  wordDelimiterGraph(reader) {
    const options = reader.optionalObject('delimiterOptions');
    const words = reader.optionalObject('protectedWords');
    const spec = {
      delimiterOptions: delimiterOptions(options),
      protectedWords: {
        words: words?.list('words', textElement) ?? [],
        ignoreCase: words?.flag('ignoreCase', true) ?? true,
      },
    };
    options?.done();
    words?.done();
    return spec;
  },
});

function delimiterOptions(reader: Reader | undefined): DelimiterOptions {
  const flag = (name: string, fallback: boolean) => reader?.flag(name, fallback) ?? fallback;
  return {
    generateWordParts: flag('generateWordParts', true),
    generateNumberParts: flag('generateNumberParts', true),
    concatenateWords: flag('concatenateWords', false),
    concatenateNumbers: flag('concatenateNumbers', false),
    concatenateAll: flag('concatenateAll', false),
    preserveOriginal: flag('preserveOriginal', true),
    splitOnCaseChange: flag('splitOnCaseChange', true),
    splitOnNumerics: flag('splitOnNumerics', true),
    stemEnglishPossessive: flag('stemEnglishPossessive', true),
    ignoreKeywords: flag('ignoreKeywords', false),
  };
}

function included(reader: Reader, name: string, fallback: 'include' | 'omit'): boolean {
  return (reader.optionalOneOf(name, INCLUDE_OR_OMIT) ?? fallback) === 'include';
}

function grams(reader: Reader): Grams {
  const [minGram, maxGram] = span(reader, 'minGram', 'maxGram', 1);
  return { minGram, maxGram, keepOthers: included(reader, 'termNotInBounds', 'omit') };
}
