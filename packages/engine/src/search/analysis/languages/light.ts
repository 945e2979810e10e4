import { stemming } from '../filters/snowball.ts';

/** Removes accents, as the light stemmers do. */
function bare(word: string): string {
  return word
    .normalize('NFD')
    .replaceAll(/[\u0300\u0301\u0302\u0308]/g, '')
    .normalize('NFC');
}

/** A rule: words that end in `ending` and are longer than `least` get the new ending. A final rule ends the search. */
type Rule = readonly [least: number, ending: string, replacement: string, isFinal?: true];

/** The rules of Savoy's light stemmer for French, in order. */
const french: readonly Rule[] = [
  [9, 'issement', 'ir', true],
  [8, 'issant', 'ir', true],
  [8, 'ivement', 'if', true],
  [6, 'ement', 'e', true],
  [11, 'ficatrice', 'fier', true],
  [10, 'ficateur', 'fier', true],
  [9, 'catrice', 'quer', true],
  [8, 'cateur', 'quer', true],
  [8, 'atrice', 'er', true],
  [7, 'ateur', 'er', true],
  [6, 'trice', 'teur'],
  [5, 'ième', '', true],
  [7, 'teuse', 'ter', true],
  [6, 'teur', 'ter', true],
  [5, 'euse', 'eu', true],
  [8, 'ère', 'er', true],
  [7, 'ive', 'if', true],
  [4, 'folle', 'fou', true],
  [4, 'molle', 'mou', true],
  [9, 'nnelle', 'n', true],
  [9, 'nnel', 'n', true],
  [4, 'ète', 'et'],
  [8, 'ique', ''],
  [8, 'esse', '', true],
  [7, 'inage', 'in', true],
  [11, 'ualisation', 'uel', true],
  [9, 'isation', '', true],
  [9, 'isateur', '', true],
  [8, 'ation', '', true],
  [8, 'ition', '', true],
];

export const frenchStemming = stemming((given) => {
  let word = given;
  if (word.length > 5 && /[^e]aux$/.test(word)) word = `${word.slice(0, -2)}l`;
  else if (word.length > 3 && word.endsWith('x')) word = word.slice(0, -1);
  if (word.length > 3 && word.endsWith('s')) word = word.slice(0, -1);
  for (const [least, ending, replacement, isFinal] of french) {
    if (word.length <= least || !word.endsWith(ending)) continue;
    word = word.slice(0, -ending.length) + replacement;
    if (isFinal) break;
  }
  if (word.length <= 4) return word;
  const plain = bare(word)
    .replaceAll('ç', 'c')
    .replaceAll(/(\p{L})\1+/gu, '$1');
  return /^.{4,}?(?=e{0,2}r?$)/u.exec(plain)?.[0] ?? plain;
});

export const italianStemming = stemming((word) => {
  if (word.length < 6) return word;
  return bare(word).replace(/(?:[ih]e|[ih]i|ia|io|[aeio])$/, '');
});

export const spanishStemming = stemming((given) => {
  if (given.length < 5) return given;
  const word = bare(given.replaceAll('ñ', '\u0001')).replaceAll('\u0001', 'ñ');
  if (word.endsWith('eses')) return word.slice(0, -2);
  if (word.endsWith('ces')) return `${word.slice(0, -3)}z`;
  return word.replace(/(?:[oae]s?)$/, '');
});

export const germanStemming = stemming((given) => {
  const word = bare(given);
  return withoutDegree(withoutCase(word));
});

function withoutCase(word: string): string {
  if (word.length > 5 && word.endsWith('ern')) return word.slice(0, -3);
  if (word.length > 4 && /e[mnrs]$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('e')) return word.slice(0, -1);
  return word.length > 3 && /[bdfghklmnt]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutDegree(word: string): string {
  if (word.length > 5 && word.endsWith('est')) return word.slice(0, -3);
  if (word.length > 4 && /e[nr]$/.test(word)) return word.slice(0, -2);
  return word.length > 4 && /[bdfghklmnt]st$/.test(word) ? word.slice(0, -2) : word;
}
