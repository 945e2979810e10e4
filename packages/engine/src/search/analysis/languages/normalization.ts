import { normalized } from '../../../bson/normal-forms.ts';
import { type TokenFilter, termFilter } from '../token.ts';

/** Replaces single characters by the rules of Lucene's normalizers. Characters that map to nothing are removed. */
function characters(map: Readonly<Record<string, string>>, gone: RegExp): TokenFilter {
  const from = new RegExp(`[${Object.keys(map).join('')}]`, 'g');
  return termFilter((term) => term.replaceAll(from, (one) => map[one] ?? '').replaceAll(gone, ''));
}

/** Replaces the variants of alef, yeh and teh marbuta by one form, and removes vowel marks and tatweel. */
export const arabicNormalization = characters(
  { آ: 'ا', أ: 'ا', إ: 'ا', ى: 'ي', ة: 'ه' },
  /[\u0640\u064b-\u0652]/g,
);

export const persianNormalization = characters({ ی: 'ي', ے: 'ي', ک: 'ك', ۀ: 'ه', ہ: 'ه', ە: 'ه' }, /\u0654/g);

export const soraniNormalization = characters(
  { ي: 'ی', ى: 'ی', ك: 'ک', ہ: 'ه' },
  /[\u0640\u064b-\u0652\u200c]/g,
);

/**
 * Replaces ß by ss. Replaces ä, ö and ü, and their spellings ae, oe and ue, by the plain vowel, except `ue` after q or
 * a vowel.
 */
export const germanNormalization = termFilter((term) =>
  term
    .replaceAll('ß', 'ss')
    .replaceAll(/(?<![aeiouqäöü])ue/g, 'u')
    .replaceAll(/([ao])e/g, '$1')
    .replaceAll(/[äöü]/g, (one) => ({ ä: 'a', ö: 'o', ü: 'u' })[one] ?? one),
);

/** Replaces letters of Devanagari and Bengali that have two encodings by one of them. */
export const indicNormalization = termFilter((term) =>
  normalized(term, 'NFC')
    .replaceAll(/[\u200c\u200d]/g, '')
    .replaceAll(/[\u0966-\u096f\u09e6-\u09ef]/g, (digit) => String((digit.charCodeAt(0) - 6) % 16)),
);

/**
 * Normalizes Hindi spellings, which vary: removes nukta and virama, shortens long vowels, and treats candrabindu as
 * anusvara.
 */
export const hindiNormalization = termFilter((term) =>
  normalized(term, 'NFD')
    .replaceAll(/[\u093c\u094d]/g, '')
    .replaceAll('\u0901', '\u0902')
    .replaceAll(/[अआ]\u0945/g, 'अ')
    .replaceAll(/[ईऊ]/g, (one) => (one === 'ई' ? 'इ' : 'उ'))
    .replaceAll('आ', 'अ')
    .replaceAll('\u0940', '\u093f')
    .replaceAll('\u0942', '\u0941'),
);

/** Turkish has a dotted and a dotless I, each with a lower-case letter of its own. */
export const turkishLowercase = termFilter((term) => term.toLocaleLowerCase('tr'));

/** Removes Greek accents and replaces the final sigma by the ordinary one. */
export const greekLowercase = termFilter((term) =>
  normalized(normalized(term, 'NFD').replaceAll(/[\u0300\u0301\u0308\u0342\u0345]/g, ''), 'NFC')
    .toLowerCase()
    .replaceAll('ς', 'σ'),
);

/**
 * Inserts a hyphen after Irish prefixes, as in `nAthair` and `tUisce`, before lowercasing makes them indistinguishable.
 */
export const irishLowercase = termFilter((term) =>
  term.replace(/^([nt])(?=[AEIOUÁÉÍÓÚ])/, '$1-').toLowerCase(),
);

/** Removes an apostrophe and everything after it, as in `Türkiye'den`. */
export const apostrophe = termFilter((term) => {
  const at = term.search(/['’]/);
  return at < 0 ? term : term.slice(0, at);
});

/** Removes articles before an apostrophe, as in `l'avion`. */
export function elision(articles: string): TokenFilter {
  const pattern = new RegExp(`^(?:${articles.replaceAll(' ', '|')})['’]`, 'i');
  return termFilter((term) => term.replace(pattern, ''));
}
