import { createRequire } from 'node:module';
import { isCompilable } from '@portolan/foundation/pattern-size';
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
