import { BoundedCache } from '@portolan/foundation/bounded-cache';
import { errorMessage } from '@portolan/foundation/thrown';
import type { Statement } from '../../statement/statement.ts';
import { BoundedRegExp } from './bounded-regexp.ts';
import { PatternError } from './pattern-error.ts';
import { Translator } from './translator.ts';

/** A Perl-compatible pattern, translated to JavaScript. */
export interface Pattern {
  readonly regexp: BoundedRegExp;
  /** The number in `regexp` of each capture group of the pattern, from 1. */
  readonly groups: readonly number[];
}

/** Compiles a pattern and its flags into a predicate on texts, which may interrupt the statement. */
export type Matching = (pattern: string, flags: string, statement: Statement) => (text: string) => boolean;

/** Bytes, the server's limit. */
const MAX_LENGTH = 16 * 1024;

const patterns = new BoundedCache<string, Pattern>({
  entries: 256,
  weight: 300_000,
  weigh: ({ regexp }) => regexp.size,
});

/**
 * Accepts the flags `i`, `m`, `s`, `x` and `u`, in any order and number. Throws `PatternError` for other
 * flags, for invalid patterns and for features that JavaScript lacks (recursion, conditionals, `\K`).
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
