import { type TokenFilter, termFilter } from '../token.ts';

/** Words that end in s but are not plurals. */
const invariable = new Set(
  'abrelatas análisis caries crisis cumpleaños dosis énfasis éxtasis jueves lunes martes miércoles oasis paraguas tesis tórax viernes virus'.split(
    ' ',
  ),
);

const bare: Readonly<Record<string, string>> = { á: 'a', é: 'e', í: 'i', ó: 'o', ú: 'u' };

/** Converts Spanish plurals to singulars. The gender does not change. */
export const spanishPluralStemming: TokenFilter = termFilter((term) => {
  if (term.length < 4 || !term.endsWith('s') || invariable.has(term)) return term;
  const plain = term.replaceAll(/[áéíóú]/g, (one) => bare[one] ?? one);
  if (/[^aeiou]is$/.test(plain)) return term;
  if (plain.endsWith('ces')) return `${plain.slice(0, -3)}z`;
  if (/(?:[dlnrs]|[aeiou]y)es$/.test(plain) && !/(?:br|bl|dr|pr|tr|gr|cl|pl|nt|st|rd|nd|ll)es$/.test(plain)) {
    return plain.slice(0, -2);
  }
  return /[aeiou]s$/.test(plain) ? plain.slice(0, -1) : term;
});
