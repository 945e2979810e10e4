/** What a native function of the interpreter, which cannot be interrupted, is given at most. */

/** Compiling a character takes 0.1 µs, and an expression is compiled twice if it is a function body. */
export const MAX_CODE = 131_072;
/** The product of the lengths of a text and of the text to find in it: some 50 ms. */
export const MAX_COMPARED = 100_000_000;
/** Characters of JSON that a script parses: some 15 ms. */
export const MAX_JSON = 1_048_576;
/** Characters of a text that a native function changes or takes apart, and entries that it joins: some 30 ms. */
export const MAX_TEXT = 2_097_152;
export const MAX_JOINED = 500_000;
/** Longer lists are sorted by a function of JavaScript, between whose calls the interpreter can be interrupted. */
export const MAX_SORTED = 50_000;
