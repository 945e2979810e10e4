import { normalized } from '../../bson/normal-forms.ts';
import { steps } from '../../bson/turns.ts';
import { type Statement, unwatched } from '../../statement/statement.ts';

/** The rules that split texts of one language into terms. */
export interface Language {
  readonly name: string;
  stem(word: string): string;
  isStopWord(word: string): boolean;
  /** Returns the index term of a word, or an empty text for a stop word. */
  term(word: string): string;
}

export interface TermOptions {
  readonly caseSensitive?: boolean;
  readonly diacriticSensitive?: boolean;
}

/** Characters that separate words. In English an apostrophe is part of a word, as in `don't`. */
const delimiters =
  /[\p{White_Space}\p{Dash}\p{Pattern_Syntax}\p{Quotation_Mark}\p{Terminal_Punctuation}\p{Cc}]+/u;
const delimitersButApostrophe =
  /(?:(?!')[\p{White_Space}\p{Dash}\p{Pattern_Syntax}\p{Quotation_Mark}\p{Terminal_Punctuation}\p{Cc}])+/u;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins there
const ascii = /^[\x00-\x7f]*$/;

/**
 * Splits a text into words. ASCII text, the most frequent case, has a separate pattern that takes a third of
 * the time.
 */
function* wordsOf(text: string, apostrophes: boolean): Generator<string> {
  const between = delimitersIn(text, apostrophes);
  for (let from = 0; from < text.length; ) {
    // Split the text in pieces, because it may have millions of words. A piece ends at a delimiter.
    between.lastIndex = from + PIECE;
    const end = between.exec(text)?.index ?? text.length;
    steps((end - from) >> CHARACTERS_SHIFT);
    yield* text.slice(from, end).split(between);
    from = end;
  }
}

function delimitersIn(text: string, apostrophes: boolean): RegExp {
  if (!ascii.test(text)) return new RegExp(apostrophes ? delimitersButApostrophe : delimiters, 'gu');
  return apostrophes ? /[^A-Za-z0-9_']+/g : /[^A-Za-z0-9_]+/g;
}

/** Minimum number of characters that are split at once. */
const PIECE = 16_384;
/** Binary logarithm of the number of characters that can be split in the time of one step. */
const CHARACTERS_SHIFT = 5;

/** Returns the terms of a text in order and without stop words, for indexing and searching. */
export function termsOf(
  text: string,
  language: Language,
  options: TermOptions = {},
  statement: Statement = unwatched,
): string[] {
  const { caseSensitive = false, diacriticSensitive = false } = options;
  const usual = !caseSensitive && !diacriticSensitive;
  const terms: string[] = [];
  for (const word of wordsOf(text, language.name === 'english')) {
    if (word === '') continue;
    statement.check();
    const term = usual ? language.term(word) : termOf(word, language, caseSensitive, diacriticSensitive);
    if (term !== '') terms.push(term);
  }
  return terms;
}

/**
 * Returns the term of a word, or an empty text for a stop word. Stemming comes before the removal of diacritics,
 * because some stems depend on them.
 */
export function termOf(
  word: string,
  language: Pick<Language, 'isStopWord' | 'stem'>,
  caseSensitive: boolean,
  diacriticSensitive: boolean,
): string {
  const lower = word.toLowerCase();
  if (language.isStopWord(lower)) return '';
  const stem = language.stem(caseSensitive ? word : lower);
  return diacriticSensitive ? stem : withoutDiacritics(stem);
}

/** Matches a character that does not change with the characters before it when a text is normalized. */
const STARTER = /[^\p{M}\u1160-\u11ff]/gu;
/** Binary logarithm of the number of characters whose diacritics can be removed in the time of one step. */
const FOLDED_SHIFT = 3;

/** Removes diacritics piece by piece, because removing those of 3 million characters takes 350 ms. */
function withoutDiacritics(text: string): string {
  if (ascii.test(text)) return text;
  let made = '';
  for (let from = 0; from < text.length; ) {
    STARTER.lastIndex = from + PIECE;
    const end = STARTER.exec(text)?.index ?? text.length;
    steps((end - from) >> FOLDED_SHIFT);
    const bare = normalized(text.slice(from, end), 'NFD').replace(/\p{Diacritic}/gu, '');
    made += normalized(bare, 'NFC');
    from = end;
  }
  return made;
}

/** Normalizes a text for the search of phrases. */
export function folded(text: string, { caseSensitive, diacriticSensitive }: TermOptions): string {
  const cased = caseSensitive ? text : text.toLowerCase();
  return diacriticSensitive ? cased : withoutDiacritics(cased);
}
