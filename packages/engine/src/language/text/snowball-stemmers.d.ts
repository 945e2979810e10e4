/** Types for the used part of the package, which has none of its own. */
declare module 'snowball-stemmers' {
  export function newStemmer(language: string): { stem(word: string): string };
}
