/** The part of it that is used; it comes without types. */
declare module 'snowball-stemmers' {
  export function newStemmer(language: string): { stem(word: string): string };
}
