/** Types for the functions of the package that are used here. The package itself contains no types. */
declare module 'snowball-stemmers' {
  export function newStemmer(language: string): { stem(word: string): string };
}
