import { BoundedRegExp } from './bounded-regexp.ts';
import { PatternError } from './pattern-error.ts';
import { Translator } from './translator.ts';

/** A Perl-compatible pattern, translated to JavaScript. */
export interface Pattern {
  readonly regexp: BoundedRegExp;
  /** The number in `regexp` of each capture group of the pattern, from 1. */
  readonly groups: readonly number[];
}

/** Compiles a pattern and its flags into a predicate on texts. */
export type Matching = (pattern: string, flags: string) => (text: string) => boolean;

/** Bytes, the server's limit. */
const MAX_LENGTH = 16 * 1024;

const kept = new Map<string, Pattern>();
const PATTERNS_KEPT = 256;
const SIZE_KEPT = 300_000;
let keptSize = 0;

/**
 * Accepts the flags `i`, `m`, `s`, `x` and `u`, in any order and number. Throws `PatternError` for other
 * flags, for invalid patterns and for features that JavaScript lacks (recursion, conditionals, `\K`).
 */
export function compilePattern(source: string, flags: string): Pattern {
  const key = `${flags}/${source}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  if (Buffer.byteLength(source) > MAX_LENGTH)
    throw new PatternError('pattern string is longer than the limit set');
  const { text, groups, ignoreCase } = new Translator(source, flags).translate();
  const pattern: Pattern = { regexp: regexpOf(text, ignoreCase), groups };
  keptSize += pattern.regexp.size;
  if (kept.size >= PATTERNS_KEPT || keptSize > SIZE_KEPT) {
    kept.clear();
    keptSize = pattern.regexp.size;
  }
  kept.set(key, pattern);
  return pattern;
}

function regexpOf(text: string, ignoreCase: boolean): BoundedRegExp {
  try {
    return new BoundedRegExp(text, ignoreCase);
  } catch (error) {
    throw new PatternError(error instanceof Error ? error.message : String(error));
  }
}
