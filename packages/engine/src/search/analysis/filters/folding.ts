import { createRequire } from 'node:module';
import { normalized } from '../../../bson/normal-forms.ts';
import { batchFilter, MAX_TERM, type Token, type TokenFilter, termFilter } from '../token.ts';

type AsciiFolder = typeof import('@pexxi/fold-to-ascii-ts');

let asciiFolder: AsciiFolder | undefined;

const NOT_ASCII = /[^\0-\x7f]/;

function toAscii(term: string): string {
  if (!NOT_ASCII.test(term)) return term;
  // Load the tables on first use, since they take some hundred KB.
  asciiFolder ??= createRequire(import.meta.url)('@pexxi/fold-to-ascii-ts') as AsciiFolder;
  return asciiFolder.default.foldMaintaining(term);
}

/** Replaces non-ASCII letters by similar ASCII letters. `keepOriginals` keeps the original terms as well. */
export function asciiFolding(keepOriginals: boolean): TokenFilter {
  if (!keepOriginals) return termFilter(toAscii);
  return batchFilter((tokens) =>
    tokens.flatMap((token): Token[] => {
      const term = toAscii(token.term);
      return term === token.term ? [token] : [{ ...token, term }, token];
    }),
  );
}

/** Applies full case folding, as far as JavaScript supports it. */
function caseFolded(text: string): string {
  return text
    .replaceAll('ẞ', 'ss')
    .replaceAll('İ', 'i\u0307')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ');
}

/**
 * Applies NFKC_Casefold: replaces compatible forms and cases by one form, and removes invisible characters. Some
 * characters have a compatible form of 18 characters. The result is cut off where it is too long for a term.
 */
export function folded(text: string): string {
  const compatible = normalized(text, 'NFKC').slice(0, MAX_TERM + 1);
  const visible = compatible.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  return normalized(caseFolded(visible), 'NFKC');
}

/** Letters with strokes and similar ones, which Unicode does not decompose into a letter and a mark. */
const strokes: Readonly<Record<string, string>> = Object.fromEntries(
  'øo đd ħh ıi łl ŧt ƀb ƈc ɖd ɗd ƒf ɠg ɨi ƙk ƚl ɲn ƥp ʠq ɽr ʈt ƭt ʉu ʋv ƴy ƶz ȥz ɓb ȼc ɇe ǥg ɉj ɍr ⱥa ⱦt ɏy'
    .split(' ')
    .map((pair) => [...pair] as [string, string]),
);

/** Removes diacritics, folds case and compatible forms, and converts digits of all scripts to ASCII. */
export const icuFolding: TokenFilter = termFilter((term) => {
  if (!NOT_ASCII.test(term)) return term.toLowerCase();
  const letters = normalized(folded(term), 'NFKD').replaceAll(/\p{Mn}/gu, '');
  return normalized(
    letters
      .replaceAll(
        /[\u0180-\u02af\u00f8\u0111\u0127\u0131\u0142\u0167\u2c65\u2c66]/gu,
        (one) => strokes[one] ?? one,
      )
      .replaceAll(/\p{Nd}/gu, (digit) => String(digitValue(digit))),
    'NFKC',
  );
});

/** Returns the value of a digit. In Unicode, the digits of a script are consecutive, beginning with zero. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) as number;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero--;
  return code - zero;
}
