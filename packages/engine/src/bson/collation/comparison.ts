import { bsonTypes, rankOf } from '../bson-types.ts';
import { compareDocuments, compareValues } from '../compare.ts';
import { writeDocument } from '../document-writer.ts';
import { keyText } from '../keys.ts';
import { documentOf } from '../raw.ts';
import { elementAt, string, textOf, type Value } from '../value.ts';
import { type Collate, Representatives } from './representatives.ts';
import type { CollationSpec } from './specification.ts';

/** How values compare in one operation: texts by their bytes, or by the rules of a language. */
export interface Comparison {
  /** -1, 0 or 1; see `compareValues`. */
  compare(a: Value, b: Value): number;
  /** The same text for values that compare equal: for maps and sets of this operation, not to be kept. */
  keyText(value: Value): string;
  /** Present where texts do not compare by their bytes. */
  readonly collate?: Collate;
  readonly collation?: CollationSpec;
}

/** What holds unless a collation says otherwise. */
export const byBytes: Comparison = { compare: compareValues, keyText };

/** For one operation: it remembers texts that it was asked for keys of. */
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

/** The value with every text in it replaced. */
export function withTexts(value: Value, replace: (text: string) => string): Value {
  if (rankOf(value.type) === textRank) return string(replace(textOf(value)));
  if (!holdsText(value)) return value;
  return writeDocument((writer) => {
    for (const element of documentOf(value)) writer.field(element.name, withTexts(element, replace));
  }).toValue(value.type);
}

/** Whether a collation can make a difference to how the value compares. */
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
