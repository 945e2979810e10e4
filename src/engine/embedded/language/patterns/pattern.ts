import { PatternError } from './pattern-error.ts';
import { Translator } from './translator.ts';

/** A pattern of the server's language, made into one of JavaScript's. */
export interface Pattern {
  readonly regexp: RegExp;
  /** For each group that the pattern numbers, from 1, its number in `regexp`. */
  readonly groups: readonly number[];
  /** Matches exactly the texts that begin with this, where the pattern says no more. */
  readonly prefix?: string;
}

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
  const pattern: Pattern = {
    regexp: regexpOf(text, ignoreCase ? 'iu' : 'u'),
    groups,
    ...prefixOf(source, flags),
  };
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

function prefixOf(source: string, flags: string): { readonly prefix?: string } {
  if (/[imx]/.test(flags)) return {};
  const found = /^(?:\^|\\A)([A-Za-z0-9 _@:;,<>=!%&"'~`/-]+)$/.exec(source)?.[1];
  return found === undefined ? {} : { prefix: found };
}
