import { stemFilter, type TokenFilter } from '../token.ts';

/** Words that end in s but are not plurals. The list contains them without accents. */
const invariable = new Set(
  'abrelatas analisis caries crisis cumpleaños dosis enfasis extasis jueves lunes martes miercoles oasis paraguas tesis torax viernes virus'.split(
    ' ',
  ),
);

const bare: Readonly<Record<string, string>> = {
  ...{ à: 'a', á: 'a', â: 'a', ä: 'a', è: 'e', é: 'e', ê: 'e', ë: 'e', ì: 'i', í: 'i', î: 'i', ï: 'i' },
  ...{ ò: 'o', ó: 'o', ô: 'o', ö: 'o', ù: 'u', ú: 'u', û: 'u', ü: 'u' },
};

const withoutAccents = (term: string) => term.replaceAll(/[à-ü]/g, (one) => bare[one] ?? one);

/** Converts Spanish plurals to singulars, and removes accents. The gender does not change. */
export const spanishPluralStemming: TokenFilter = stemFilter((term) => {
  if (term.length < 4) return term;
  const plain = withoutAccents(term);
  if (!term.endsWith('s') || invariable.has(plain) || /[^aeiou]is$/.test(plain)) return plain;
  if (plain.endsWith('ces')) return `${plain.slice(0, -3)}z`;
  if (/(?:[dlnrs]|[aeiou]y)es$/.test(plain) && !/(?:br|bl|dr|pr|tr|gr|cl|pl|nt|st|rd|nd|ll)es$/.test(plain)) {
    return plain.slice(0, -2);
  }
  return /[aeiou]s$/.test(plain) ? plain.slice(0, -1) : plain;
});
