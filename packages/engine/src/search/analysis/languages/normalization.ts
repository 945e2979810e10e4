import { normalized } from '../filters/normal-forms.ts';
import { type TokenFilter, termFilter } from '../token.ts';

/** Replaces single characters; those that map to nothing are removed. The rules are those of Lucene's normalizers. */
function characters(map: Readonly<Record<string, string>>, gone: RegExp): TokenFilter {
  const from = new RegExp(`[${Object.keys(map).join('')}]`, 'g');
  return termFilter((term) => term.replaceAll(from, (one) => map[one] ?? '').replaceAll(gone, ''));
}

/** Unifies the forms of alef, of yeh and of teh marbuta; removes vowel marks and tatweel. */
export const arabicNormalization = characters(
  { آ: 'ا', أ: 'ا', إ: 'ا', ى: 'ي', ة: 'ه' },
  /[\u0640\u064b-\u0652]/g,
);

export const persianNormalization = characters({ ی: 'ي', ے: 'ي', ک: 'ك', ۀ: 'ه', ہ: 'ه', ە: 'ه' }, /\u0654/g);

export const soraniNormalization = characters(
  { ي: 'ی', ى: 'ی', ك: 'ک', ہ: 'ه' },
  /[\u0640\u064b-\u0652\u200c]/g,
);

/** Replaces ß by ss, and ae, oe and ue like ä, ö and ü by the plain vowel; `ue` stays after q or a vowel. */
export const germanNormalization = termFilter((term) =>
  term
    .replaceAll('ß', 'ss')
    .replaceAll(/(?<![aeiouqäöü])ue/g, 'u')
    .replaceAll(/([ao])e/g, '$1')
    .replaceAll(/[äöü]/g, (one) => ({ ä: 'a', ö: 'o', ü: 'u' })[one] ?? one),
);

/** Unifies letters of Devanagari and Bengali that can be encoded in two ways. */
export const indicNormalization = termFilter((term) =>
  term
    .normalize('NFC')
    .replaceAll(/[\u200c\u200d]/g, '')
    .replaceAll(/[\u0966-\u096f\u09e6-\u09ef]/g, (digit) => String((digit.charCodeAt(0) - 6) % 16)),
);

/** Hindi: removes nukta and virama, shortens long vowels, and unifies candrabindu and anusvara, since spellings vary. */
export const hindiNormalization = termFilter((term) =>
  term
    .normalize('NFD')
    .replaceAll(/[\u093c\u094d]/g, '')
    .replaceAll('\u0901', '\u0902')
    .replaceAll(/[अआ]\u0945/g, 'अ')
    .replaceAll(/[ईऊ]/g, (one) => (one === 'ई' ? 'इ' : 'उ'))
    .replaceAll('आ', 'अ')
    .replaceAll('\u0940', '\u093f')
    .replaceAll('\u0942', '\u0941'),
);

/** Turkish has a dotted and a dotless I, each with its own lower case. */
export const turkishLowercase = termFilter((term) => term.toLocaleLowerCase('tr'));

/** Removes Greek accents, and unifies the final sigma with the others. */
export const greekLowercase = termFilter((term) =>
  normalized(normalized(term, 'NFD').replaceAll(/[\u0300\u0301\u0308\u0342\u0345]/g, ''), 'NFC')
    .toLowerCase()
    .replaceAll('ς', 'σ'),
);

/**
 * Separates Irish prefixes by a hyphen before lowercasing, as in `nAthair` and `tUisce`, since lower case would hide
 * them.
 */
export const irishLowercase = termFilter((term) =>
  term.replace(/^([nt])(?=[AEIOUÁÉÍÓÚ])/, '$1-').toLowerCase(),
);

/** Removes an apostrophe and what follows it: `Türkiye'den`. */
export const apostrophe = termFilter((term) => term.replace(/['’].*$/, ''));

/** Removes articles before an apostrophe: `l'avion`. */
export function elision(articles: string): TokenFilter {
  const pattern = new RegExp(`^(?:${articles.replaceAll(' ', '|')})['’]`, 'i');
  return termFilter((term) => term.replace(pattern, ''));
}
