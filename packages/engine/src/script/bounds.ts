/**
 * This file contains limits on the arguments of native functions: functions of the interpreter that are not written in
 * JavaScript. The limits keep each call short, because an interpreter cannot be used again after an interruption within
 * a native function.
 */

/**
 * Maximum number of characters of code. Compiling one character takes 0.1 µs, and the interpreter compiles code twice
 * if it is a function body.
 */
export const MAX_CODE = 131_072;
/**
 * Maximum number of nested brackets in code. For each of them, the parser calls itself about 15 times, and 500 to 1,000
 * of them overflow the stack of a thread.
 */
export const MAX_NESTING = 250;
/**
 * Maximum product of two lengths: the length of a text, and the length of the text to find in it. A search of this size
 * takes about 50 ms.
 */
export const MAX_COMPARED = 100_000_000;
/** Maximum number of characters of JSON that a script parses at once. Parsing them takes about 15 ms. */
export const MAX_JSON = 1_048_576;
/**
 * Maximum number of characters of a text that a native function changes or splits. `MAX_JOINED` is the maximum number
 * of entries that a native function joins. A call at either limit takes about 30 ms.
 */
export const MAX_TEXT = 2_097_152;
export const MAX_JOINED = 500_000;
/**
 * Maximum length of a list that a native function sorts. Longer lists are sorted in JavaScript, which can be
 * interrupted.
 */
export const MAX_SORTED = 50_000;
/** Number of loop iterations of native functions between two checks. These iterations take 0.1 to 0.5 ms. */
export const TURNS_PER_CHECK = 100_000;

/**
 * Maximum number of interpreters of a thread: one for each of the 7 statements that can pause, and one for the
 * statement that runs.
 */
export const MAX_INTERPRETERS = 8;
export const PAGE_BYTES = 65_536;
/** Initial memory of an interpreter, in pages. Pages that are not used take no memory of the system. */
export const FIRST_PAGES = (16 << 20) / PAGE_BYTES;
/**
 * Maximum memory of an interpreter, in pages. It also limits the growth of all interpreters of a thread: together, they
 * may grow beyond their initial memory by only as much as a single interpreter may. A script that needs more memory
 * ends with "out of memory".
 */
export const MAX_PAGES = (128 << 20) / PAGE_BYTES;
