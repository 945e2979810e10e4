import { type TokenFilter, termFilter } from '../token.ts';

/** Replaces characters one by one; those that map to nothing go. The rules are those of Lucene's normalizers. */
function characters(map: Readonly<Record<string, string>>, gone: RegExp): TokenFilter {
  const from = new RegExp(`[${Object.keys(map).join('')}]`, 'g');
  return termFilter((term) => term.replaceAll(from, (one) => map[one] ?? '').replaceAll(gone, ''));
}

/** Forms of alef are one, and so are yeh and teh marbuta; vowel marks and tatweel go. */
export const arabicNormalization = characters(
  { آ: 'ا', أ: 'ا', إ: 'ا', ى: 'ي', ة: 'ه' },
  /[\u0640\u064b-\u0652]/g,
);

export const persianNormalization = characters({ ی: 'ي', ے: 'ي', ک: 'ك', ۀ: 'ه', ہ: 'ه', ە: 'ه' }, /\u0654/g);

export const soraniNormalization = characters(
  { ي: 'ی', ى: 'ی', ك: 'ک', ہ: 'ه' },
  /[\u0640\u064b-\u0652\u200c]/g,
);

/** ß is ss, and ae, oe and ue are as ä, ö and ü, which lose their dots; `ue` behind q or a vowel stays. */
export const germanNormalization = termFilter((term) =>
  term
    .replaceAll('ß', 'ss')
    .replaceAll(/(?<![aeiouqäöü])ue/g, 'u')
    .replaceAll(/([ao])e/g, '$1')
    .replaceAll(/[äöü]/g, (one) => ({ ä: 'a', ö: 'o', ü: 'u' })[one] ?? one),
);

/** Forms of Devanagari and Bengali that are written in two ways. */
export const indicNormalization = termFilter((term) =>
  term
    .normalize('NFC')
    .replaceAll(/[\u200c\u200d]/g, '')
    .replaceAll(/[\u0966-\u096f\u09e6-\u09ef]/g, (digit) => String((digit.charCodeAt(0) - 6) % 16)),
);

/** Hindi: nukta, candrabindu and long vowels are written or not. */
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

/** Turkish has an I without a dot, and a small one with it. */
export const turkishLowercase = termFilter((term) => term.toLocaleLowerCase('tr'));

/** Greek without accents, its final sigma as any other. */
export const greekLowercase = termFilter((term) =>
  term
    .normalize('NFD')
    .replaceAll(/[\u0300\u0301\u0308\u0342\u0345]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ς', 'σ'),
);

/** `nAthair` and `t-uisce`: what Irish puts before a word is parted from it by a hyphen, so that it can be told. */
export const irishLowercase = termFilter((term) =>
  term.replace(/^([nt])(?=[AEIOUÁÉÍÓÚ])/, '$1-').toLowerCase(),
);

/** What stands behind an apostrophe goes: `Türkiye'den`. */
export const apostrophe = termFilter((term) => term.replace(/['’].*$/, ''));

/** Articles and the like before an apostrophe go: `l'avion`. */
export function elision(articles: string): TokenFilter {
  const pattern = new RegExp(`^(?:${articles.replaceAll(' ', '|')})['’]`, 'i');
  return termFilter((term) => term.replace(pattern, ''));
}
