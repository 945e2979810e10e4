import { icuNormalize, persian } from '../char-filters/characters.ts';
import { lowercase } from '../filters/lowercase.ts';
import { laterSnowball, snowball } from '../filters/snowball.ts';
import { stopWords } from '../filters/stop-words.ts';
import { type Analyzer, analyzerOf, type CharFilter, type TokenFilter, type Tokenizer } from '../token.ts';
import { standardTokenizer } from '../tokenizers/standard.ts';
import { cjkBigrams } from './bigrams.ts';
import { bulgarianStemming } from './bulgarian.ts';
import { frenchStemming, germanStemming, italianStemming, spanishStemming } from './light.ts';
import {
  apostrophe,
  arabicNormalization,
  elision,
  germanNormalization,
  greekLowercase,
  hindiNormalization,
  indicNormalization,
  irishLowercase,
  persianNormalization,
  soraniNormalization,
  turkishLowercase,
} from './normalization.ts';
import { segmentTokenizer } from './segmented.ts';
import { type StopWordLanguage, stopWordsOf } from './stop-words.ts';
import { bengaliStemming, latvianStemming, polishStemming, soraniStemming } from './suffixes.ts';

interface Language {
  readonly charFilter?: CharFilter;
  readonly tokenizer?: Tokenizer;
  /** Filters that run in place of plain lowercasing. */
  readonly before?: readonly TokenFilter[];
  readonly stops?: StopWordLanguage;
  readonly normalize?: TokenFilter;
  readonly stem?: () => TokenFilter;
}

const FRENCH = 'l m t qu n s j d c jusqu quoiqu lorsqu puisqu';
const ITALIAN = 'c l all dall dell nell sull coll pell gl agl dagl degl negl sugl un m t s v d';

const bigrams: Language = { charFilter: icuNormalize, normalize: cjkBigrams, stops: 'cjk' };
const polish: Language = { stops: 'polish', stem: () => polishStemming };

/** The token filters of each language, in the order of Lucene's analyzers. */
const languages = {
  arabic: { stops: 'arabic', normalize: arabicNormalization, stem: () => snowball('arabic') },
  armenian: { stops: 'armenian', stem: () => snowball('armenian') },
  basque: { stops: 'basque', stem: () => snowball('basque') },
  bengali: { stops: 'bengali', normalize: indicNormalization, stem: () => bengaliStemming },
  brazilian: { stops: 'brazilian', stem: () => snowball('portuguese') },
  bulgarian: { stops: 'bulgarian', stem: () => bulgarianStemming },
  catalan: { before: [elision('d l m n s t'), lowercase], stops: 'catalan', stem: () => snowball('catalan') },
  chinese: bigrams,
  cjk: bigrams,
  czech: { stops: 'czech', stem: () => snowball('czech') },
  danish: { stops: 'danish', stem: () => snowball('danish') },
  dutch: { stops: 'dutch', stem: () => snowball('dutch') },
  finnish: { stops: 'finnish', stem: () => snowball('finnish') },
  french: { before: [elision(FRENCH), lowercase], stops: 'french', stem: () => frenchStemming },
  galician: { stops: 'galician', stem: () => snowball('portuguese') },
  german: { stops: 'german', normalize: germanNormalization, stem: () => germanStemming },
  greek: { before: [greekLowercase], stops: 'greek', stem: () => laterSnowball('greek') },
  hindi: { stops: 'hindi', normalize: hindiNormalization, stem: () => laterSnowball('hindi') },
  hungarian: { stops: 'hungarian', stem: () => snowball('hungarian') },
  indonesian: { stops: 'indonesian', stem: () => laterSnowball('indonesian') },
  irish: { before: [elision('d m b'), irishLowercase], stops: 'irish', stem: () => snowball('irish') },
  italian: { before: [elision(ITALIAN), lowercase], stops: 'italian', stem: () => italianStemming },
  japanese: bigrams,
  korean: bigrams,
  kuromoji: { charFilter: icuNormalize, tokenizer: segmentTokenizer('ja'), stops: 'japanese' },
  latvian: { stops: 'latvian', stem: () => latvianStemming },
  lithuanian: { stops: 'lithuanian', stem: () => laterSnowball('lithuanian') },
  morfologik: polish,
  nori: { tokenizer: segmentTokenizer('ko') },
  norwegian: { stops: 'norwegian', stem: () => snowball('norwegian') },
  persian: { charFilter: persian, normalize: persianNormalization, stops: 'persian' },
  portuguese: { stops: 'portuguese', stem: () => snowball('portuguese') },
  romanian: { stops: 'romanian', stem: () => snowball('romanian') },
  russian: { stops: 'russian', stem: () => snowball('russian') },
  smartcn: { tokenizer: segmentTokenizer('zh'), stops: 'chinese', stem: () => snowball('porter') },
  sorani: { normalize: soraniNormalization, stops: 'sorani', stem: () => soraniStemming },
  spanish: { stops: 'spanish', stem: () => spanishStemming },
  swedish: { stops: 'swedish', stem: () => snowball('swedish') },
  thai: { tokenizer: segmentTokenizer('th'), stops: 'thai' },
  turkish: { before: [apostrophe, turkishLowercase], stops: 'turkish', stem: () => snowball('turkish') },
  ukrainian: { stops: 'ukrainian', stem: () => laterSnowball('ukrainian') },
} satisfies Readonly<Record<string, Language>>;

function analyzer({
  charFilter,
  tokenizer,
  before = [lowercase],
  stops,
  normalize,
  stem,
}: Language): Analyzer {
  const without = stops === undefined ? [] : [stopWords(stopWordsOf(stops))];
  return analyzerOf({
    charFilters: charFilter === undefined ? [] : [charFilter],
    tokenizer: tokenizer ?? standardTokenizer(),
    tokenFilters: [
      ...before,
      ...without,
      ...(normalize === undefined ? [] : [normalize]),
      ...(stem === undefined ? [] : [stem()]),
    ],
  });
}

/** Functions that create the analyzers, by name. */
export const languageAnalyzers: Readonly<Record<string, () => Analyzer>> = Object.fromEntries(
  Object.entries<Language>(languages).map(([name, language]) => [name, () => analyzer(language)]),
);
