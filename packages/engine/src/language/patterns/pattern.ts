import { BoundedCache } from '@portolan/foundation/bounded-cache';
import { errorMessage } from '@portolan/foundation/thrown';
import type { Statement } from '../../statement/statement.ts';
import { BoundedRegExp } from './bounded-regexp.ts';
import { PatternError } from './pattern-error.ts';
import { Translator } from './translator.ts';

/** A Perl-compatible pattern, translated to a JavaScript regular expression. */
export interface Pattern {
  readonly regexp: BoundedRegExp;
  /**
   * For each capture group of the pattern, starting with group 1, the number of the same group in `regexp`.
   */
  readonly groups: readonly number[];
}

/** Compiles a pattern and its flags to a test of texts, during which the statement can be interrupted. */
export type Matching = (pattern: string, flags: string, statement: Statement) => (text: string) => boolean;

/** The server's limit on the length of a pattern, in bytes. */
const MAX_LENGTH = 16 * 1024;

const patterns = new BoundedCache<string, Pattern>({
  entries: 256,
  weight: 300_000,
  weigh: ({ regexp }) => regexp.size,
  longestKey: 2 * MAX_LENGTH,
});

/**
 * Compiles a Perl-compatible pattern. Accepts the flags `i`, `m`, `s`, `x` and `u`, in any order and number. Throws
 * `PatternError` for other flags, for invalid patterns, and for features that JavaScript lacks (recursion,
 * conditionals, `\K`).
 */
export function compilePattern(source: string, flags: string): Pattern {
  return patterns.of(`${flags}/${source}`, () => compile(source, flags));
}

function compile(source: string, flags: string): Pattern {
  if (Buffer.byteLength(source) > MAX_LENGTH)
    throw new PatternError('pattern string is longer than the limit set');
  const { text, groups, ignoreCase } = new Translator(source, flags).translate();
  return { regexp: regexpOf(text, ignoreCase), groups };
}

function regexpOf(text: string, ignoreCase: boolean): BoundedRegExp {
  try {
    return new BoundedRegExp(text, ignoreCase);
  } catch (error) {
    throw new PatternError(errorMessage(error));
  }
}
