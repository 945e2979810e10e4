import { bsonTypes, rankOf } from '../bson-types.ts';
import { compareDocuments, compareValues } from '../compare.ts';
import { writeDocument } from '../document-writer.ts';
import { keyText } from '../keys.ts';
import { documentOf } from '../raw.ts';
import { elementAt, string, textOf, type Value } from '../value.ts';
import { type Collate, Representatives } from './representatives.ts';
import type { CollationSpec } from './specification.ts';

/** Compares values in one operation. Strings are compared by bytes or under a collation. */
export interface Comparison {
  /** Returns -1, 0 or 1; see `compareValues`. */
  compare(a: Value, b: Value): number;
  /**
   * Returns a text that is the same for all values that compare equal. The text must be used only within this
   * operation.
   */
  keyText(value: Value): string;
  /** Compares two strings under the collation. Absent if strings are compared by bytes. */
  readonly collate?: Collate;
  readonly collation?: CollationSpec;
}

/** The default comparison, without a collation. */
export const byBytes: Comparison = { compare: compareValues, keyText };

/**
 * Creates a comparison for one operation. In the key of a value, each string is replaced by a representative of all
 * strings that are equal to it. The comparison caches the representatives.
 */
export function byLanguage(collate: Collate, collation: CollationSpec): Comparison {
  const compare = (a: Value, b: Value): number => {
    const rank = rankOf(a.type);
    if (rank !== rankOf(b.type)) return rank < rankOf(b.type) ? -1 : 1;
    if (rank === textRank) return collate(textOf(a), textOf(b));
    if (rank !== documentRank && rank !== arrayRank) return compareValues(a, b);
    return compareDocuments(a.bytes, a.start, b.bytes, b.start, rank === documentRank, compare);
  };
  const representatives = new Representatives(collate);
  return {
    compare,
    collate,
    collation,
    keyText: (value) => keyText(withTexts(value, (text) => representatives.of(text))),
  };
}

const textRank = rankOf(bsonTypes.string);
const documentRank = rankOf(bsonTypes.object);
const arrayRank = rankOf(bsonTypes.array);

/** Returns a value with every string in it replaced. */
export function withTexts(value: Value, replace: (text: string) => string): Value {
  if (rankOf(value.type) === textRank) return string(replace(textOf(value)));
  if (!holdsText(value)) return value;
  return writeDocument((writer) => {
    for (const element of documentOf(value)) writer.field(element.name, withTexts(element, replace));
  }).toValue(value.type);
}

/** True if a collation can affect the comparison of the value. */
export function holdsText(value: Value): boolean {
  const rank = rankOf(value.type);
  if (rank === textRank) return true;
  if (rank !== documentRank && rank !== arrayRank) return false;
  const { bytes } = value;
  for (let entry = elementAt(bytes, value.start + 4); entry; entry = elementAt(bytes, entry.end)) {
    if (holdsText(entry)) return true;
  }
  return false;
}
