/** Limits on the arguments of native functions, during which the interpreter cannot be interrupted. */

/**
 * Maximum number of characters of code. Compiling one takes 0.1 µs, and the interpreter compiles code twice if it is a
 * function body.
 */
export const MAX_CODE = 131_072;
/** Maximum product of the lengths of a text and of the text to find in it, about 50 ms. */
export const MAX_COMPARED = 100_000_000;
/** Maximum number of characters of JSON that a script parses at once, about 15 ms. */
export const MAX_JSON = 1_048_576;
/**
 * Maximum number of characters of a text that a native function changes or splits, and of entries that it joins, about
 * 30 ms.
 */
export const MAX_TEXT = 2_097_152;
export const MAX_JOINED = 500_000;
/**
 * Maximum length of a list that a native function sorts. Longer lists are sorted in JavaScript, which can be
 * interrupted.
 */
export const MAX_SORTED = 50_000;
