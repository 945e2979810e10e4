import type { RawDocument } from '../raw.ts';
import { compileModifiers } from './modifiers.ts';
import { compileReplacement } from './replacement.ts';
import type { Update } from './update.ts';

/** A document whose first field is an operator holds modifiers; every other document is a replacement. */
export function compileUpdate(update: RawDocument): Update {
  return update.first()?.name.startsWith('$') ? compileModifiers(update) : compileReplacement(update);
}
