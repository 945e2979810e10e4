import { PatternError } from './pattern-error.ts';
import { Translator } from './translator.ts';

/** A pattern of the server's language, made into one of JavaScript's. */
export interface Pattern {
  readonly regexp: RegExp;
  /** For each group that the pattern numbers, from 1, its number in `regexp`. */
  readonly groups: readonly number[];
}

/** Makes of a pattern and its flags what tells whether a text matches. */
export type Matching = (pattern: string, flags: string) => (text: string) => boolean;

/** In bytes, as the server counts. */
const MAX_LENGTH = 16 * 1024;

const kept = new Map<string, Pattern>();
const PATTERNS_KEPT = 256;

/**
 * Flags are `i`, `m`, `s`, `x` and `u`, in any order and number. Throws `PatternError` for others, and for
 * patterns that are wrong or need what JavaScript cannot do (recursion, conditions, `\K`).
 */
export function compilePattern(source: string, flags: string): Pattern {
  const key = `${flags}/${source}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  if (Buffer.byteLength(source) > MAX_LENGTH)
    throw new PatternError('pattern string is longer than the limit set');
  const { text, groups, ignoreCase } = new Translator(source, flags).translate();
  const pattern: Pattern = { regexp: regexpOf(text, ignoreCase ? 'iu' : 'u'), groups };
  if (kept.size >= PATTERNS_KEPT) kept.clear();
  kept.set(key, pattern);
  return pattern;
}

function regexpOf(text: string, flags: string): RegExp {
  try {
    return new RegExp(text, flags);
  } catch (error) {
    throw new PatternError(error instanceof Error ? error.message : String(error));
  }
}
