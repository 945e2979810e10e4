import { bsonTypes } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { isNumber, textOf, type Value } from '../../bson/value.ts';
import { cannotCreate } from './errors.ts';

/**
 * Throws if a key of a text index has another direction than 1 and -1, or uses the names `_fts` and `_ftsx`. These names
 * stand for the text fields in the output of `listIndexes`, where they follow each other.
 */
export function checkTextKey(key: RawDocument): void {
  const parts = [...key];
  for (const [i, part] of parts.entries()) {
    if (part.name === '_fts') {
      if (parts[i + 1]?.name !== '_ftsx') throw cannotCreate('expected _ftsx after _fts');
      continue;
    }
    if (part.name === '_ftsx') {
      if (parts[i - 1]?.name !== '_fts') {
        throw cannotCreate('text index with reserved fields _fts/_ftsx not allowed');
      }
      if (truncated(part) !== 1) throw cannotCreate('expecting _ftsx:1');
    } else if (!isText(part) && Math.abs(truncated(part)) !== 1) {
      throw cannotCreate('expected value 1 or -1 for non-text key in compound index');
    }
  }
}

export function isText(part: Value): boolean {
  return part.type === bsonTypes.string && textOf(part) === 'text';
}

function truncated(part: Value): number {
  return isNumber(part) ? Math.trunc(toNumber(part)) : 0;
}

/** Throws unless a weight belongs to a path or to `$**`. */
export function checkWeightName(name: string): void {
  if (name === '$**') return;
  if (name === '') throw cannotCreate('weight cannot be on an empty field');
  for (const step of name.split('.')) {
    if (step === '') throw cannotCreate('weight cannot have empty path component');
    if (step.startsWith('$')) throw cannotCreate('weight cannot have path component with $ prefix');
  }
}
