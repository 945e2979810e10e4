/**
 * This file contains the character classes of UAX #29 for finding words, in the syntax of regular expressions with
 * the flag `v`. JavaScript has neither `Word_Break` nor `Line_Break`; table 3 of UAX #29 derives both from properties
 * that JavaScript has.
 */

/** Line_Break=Complex_Context: scripts without spaces between words. A run of such characters is one token. */
const COMPLEX =
  '[[\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Myanmar}\\p{Script=Khmer}\\p{Script=Tai_Le}' +
  '\\p{Script=New_Tai_Lue}\\p{Script=Tai_Tham}\\p{Script=Tai_Viet}\\p{Script=Ahom}]&&[\\p{L}\\p{M}]]';

const KATAKANA = '[\\p{Script=Katakana}\\u3031-\\u3035\\u309B\\u309C\\u30A0\\u30FC\\uFF70]';

const HEBREW = '[\\p{Script=Hebrew}&&\\p{Lo}]';

/** Extend, Format and ZWJ, which belong to the preceding character. */
const EXTENDING =
  '[\\p{Grapheme_Extend}\\p{Mc}\\u{1F3FB}-\\u{1F3FF}\\u200D[\\p{Cf}--[\\u200B\\u0600-\\u0605\\u06DD\\u070F]]]';

const LETTER =
  '[[\\p{Alphabetic}\\u02C2-\\u02C5\\u02D2-\\u02D7\\u02DE\\u02DF\\u02E5-\\u02EB\\u02ED\\u02EF-\\u02FF' +
  '\\u055A-\\u055C\\u055E\\u058A\\u05F3\\u070F\\uA708-\\uA716\\uA720\\uA721\\uA789\\uA78A\\uAB5B]--' +
  `[\\p{Ideographic}${KATAKANA}${COMPLEX}\\p{Script=Hiragana}\\p{Grapheme_Extend}\\p{Mc}]]`;

const NUMBER = '[\\p{Nd}\\u066C]';
const JOINING = '[\\p{Pc}\\u202F]';
const MIDDLE_OF_LETTERS =
  "[:·\\u0387\\u055F\\u05F4\\u2027\\uFE13\\uFE55\\uFF1A.\\u2018\\u2019\\u2024\\uFE52\\uFF07\\uFF0E']";
const MIDDLE_OF_NUMBERS =
  "[,;\\u037E\\u0589\\u060C\\u060D\\u066C\\u07F8\\u2044\\uFE10\\uFE14\\uFE50\\uFE54\\uFF0C\\uFF1B.\\u2018\\u2019\\u2024\\uFE52\\uFF07\\uFF0E']";

const E = `${EXTENDING}*`;
const joined = (before: string, between: string) =>
  `${before}${E}(?:(?:${JOINING}${E})*${before}${E}|${between}${E}${before}${E})*`;

const katakana = `${KATAKANA}${E}(?:(?:${JOINING}${E})*${KATAKANA}${E})*`;
/** Hebrew abbreviations contain quotation marks, or end with one. */
const hebrew = `(?<=${HEBREW}${E})(?:"${E}${HEBREW}|'(?!${E}${LETTER}))${E}`;
const letters = `${joined(LETTER, MIDDLE_OF_LETTERS)}(?:${hebrew})?`;
const numbers = joined(NUMBER, MIDDLE_OF_NUMBERS);
const word = `(?:${katakana}|(?:${numbers}|${letters})+)`;
const joins = `(?:${JOINING}${E})`;

/**
 * Matches one token: a word or number, a run of a script without spaces, a single ideograph or Hiragana
 * letter, or an emoji. The grammar is that of Lucene's StandardTokenizer, which follows UAX #29. Scripts for
 * which UAX #29 requires dictionaries are split by the simple rules above.
 */
export const TOKEN = new RegExp(
  `\\p{RGI_Emoji}|${joins}*${word}(?:${joins}+${word})*${joins}*|${COMPLEX}${E}(?:${COMPLEX}${E})*|` +
    `[\\p{Script=Han}\\p{Script=Hiragana}]${E}`,
  'vy',
);

/** Matches a character with which a token can begin, apart from ASCII. */
export const BEGINNING = new RegExp(
  `[${LETTER}${NUMBER}${KATAKANA}${COMPLEX}${JOINING}\\p{Script=Han}\\p{Script=Hiragana}\\p{Emoji}]`,
  'v',
);

/** Matches a run of characters that join words, with the marks that belong to them. */
export const JOINS = new RegExp(`${joins}+`, 'vy');
