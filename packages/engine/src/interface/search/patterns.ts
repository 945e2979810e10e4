import { createRequire } from 'node:module';
import { expandedSize, isCompilable } from '@portolan/foundation/pattern-size';
import { errorMessage } from '@portolan/foundation/thrown';
import { SearchDefinitionError } from './error.ts';
import type { Reader } from './reading.ts';

type Engine = typeof import('re2js');

let engine: Engine | undefined;

/** Returns RE2, loaded on first use. Patterns come from users, and RE2 takes linear time. */
export function patternEngine(): Engine['RE2JS'] {
  engine ??= createRequire(import.meta.url)('re2js') as Engine;
  return engine.RE2JS;
}

/**
 * Maximum total size of the patterns of an index, in characters after expanding their repetitions. The limit is needed
 * because the service compiles patterns on its only thread. Compiling takes up to a microsecond per character.
 */
const MAX_PATTERNS = 50_000;

/**
 * Throws if the custom analyzers of an index have too many or too long patterns. Called before any pattern is compiled.
 */
export function checkPatterns(analyzers: readonly unknown[], path: string): void {
  let size = 0;
  for (const pattern of analyzers.flatMap(patternsIn)) {
    size += expandedSize(pattern);
    if (size <= MAX_PATTERNS) continue;
    throw new SearchDefinitionError(path, `have patterns of more than ${MAX_PATTERNS} characters together`);
  }
}

/**
 * Returns the texts that may be patterns. Only texts at the nesting depth of the options of tokenizers and token
 * filters are included.
 */
function patternsIn(analyzer: unknown): string[] {
  const { tokenizer, tokenFilters } = (analyzer ?? {}) as Readonly<Record<string, unknown>>;
  const parts: readonly unknown[] = [tokenizer, ...(Array.isArray(tokenFilters) ? tokenFilters : [])];
  return parts.flatMap((part) => {
    const { pattern } = (part ?? {}) as Readonly<Record<string, unknown>>;
    return typeof pattern === 'string' ? [pattern] : [];
  });
}

export function readPattern(reader: Reader): string {
  const pattern = reader.text('pattern');
  if (!isCompilable(pattern))
    throw new SearchDefinitionError(
      reader.at('pattern'),
      'is too large once its repetitions are written out',
    );
  try {
    patternEngine().compile(pattern);
    return pattern;
  } catch (cause) {
    const reason = errorMessage(cause);
    throw new SearchDefinitionError(reader.at('pattern'), `is not a regular expression of RE2: ${reason}`);
  }
}
