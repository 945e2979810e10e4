import { bsonTypes, rankOf } from './bson-types.ts';
import { compareSpans, findNul, readInt32, readInt64, readUint64 } from './bytes.ts';
import { compareNumbers } from './numbers/compare.ts';
import { step } from './turns.ts';
import type { Value } from './value.ts';
import { elementAt } from './value.ts';

/**
 * Compares two values, first by the rank of their types and then by value. Returns -1, 0 or 1. Values of different
 * types can be equal (1, 1.0 and decimal 1.00). Documents and arrays compare element by element.
 */
export function compareValues(a: Value, b: Value): number {
  step();
  const ranks = rankOf(a.type) - rankOf(b.type);
  if (ranks !== 0) return ranks < 0 ? -1 : 1;
  return comparers[rankOf(a.type)]?.(a, b) ?? 0;
}

export function equalValues(a: Value, b: Value): boolean {
  return compareValues(a, b) === 0;
}

type Comparer = (a: Value, b: Value) => number;

/**
 * The comparison functions by type rank. A type without a function has only one value, so two values of this type are
 * always equal.
 */
const comparers: Array<Comparer | undefined> = [];
comparers[rankOf(bsonTypes.int)] = compareNumbers;
comparers[rankOf(bsonTypes.string)] = compareTexts;
comparers[rankOf(bsonTypes.object)] = (a, b) => compareDocuments(a.bytes, a.start, b.bytes, b.start, true);
comparers[rankOf(bsonTypes.array)] = (a, b) => compareDocuments(a.bytes, a.start, b.bytes, b.start, false);
comparers[rankOf(bsonTypes.binData)] = compareBinaries;
comparers[rankOf(bsonTypes.objectId)] = compareContents;
comparers[rankOf(bsonTypes.bool)] = compareContents;
comparers[rankOf(bsonTypes.date)] = (a, b) =>
  compareBigInts(readInt64(a.bytes, a.start), readInt64(b.bytes, b.start));
comparers[rankOf(bsonTypes.timestamp)] = (a, b) =>
  compareBigInts(readUint64(a.bytes, a.start), readUint64(b.bytes, b.start));
comparers[rankOf(bsonTypes.regex)] = compareRegexes;
comparers[rankOf(bsonTypes.dbPointer)] = (a, b) =>
  Math.sign(a.end - a.start - (b.end - b.start)) || compareContents(a, b);
comparers[rankOf(bsonTypes.javascript)] = compareTexts;
comparers[rankOf(bsonTypes.javascriptWithScope)] = compareScopedCode;

function compareBigInts(a: bigint, b: bigint): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function compareContents(a: Value, b: Value): number {
  return compareSpans(a.bytes, a.start, a.end, b.bytes, b.start, b.end);
}

/** Compares strings by their UTF-8 bytes. This is also the order of code points. */
function compareTexts(a: Value, b: Value): number {
  return compareSpans(a.bytes, a.start + 4, a.end - 1, b.bytes, b.start + 4, b.end - 1);
}

/** Compares binary data by length, subtype and bytes, in this order. */
function compareBinaries(a: Value, b: Value): number {
  const lengths = readInt32(a.bytes, a.start) - readInt32(b.bytes, b.start);
  if (lengths !== 0) return Math.sign(lengths);
  return compareSpans(a.bytes, a.start + 4, a.end, b.bytes, b.start + 4, b.end);
}

function compareRegexes(a: Value, b: Value): number {
  const aPatternEnd = findNul(a.bytes, a.start);
  const bPatternEnd = findNul(b.bytes, b.start);
  return (
    compareSpans(a.bytes, a.start, aPatternEnd, b.bytes, b.start, bPatternEnd) ||
    compareSpans(a.bytes, aPatternEnd, a.end, b.bytes, bPatternEnd, b.end)
  );
}

function compareScopedCode(a: Value, b: Value): number {
  const aScope = a.start + 8 + readInt32(a.bytes, a.start + 4);
  const bScope = b.start + 8 + readInt32(b.bytes, b.start + 4);
  return (
    compareSpans(a.bytes, a.start + 8, aScope - 1, b.bytes, b.start + 8, bScope - 1) ||
    compareDocuments(a.bytes, aScope, b.bytes, bScope, true)
  );
}

/**
 * Compares element by element: first the type rank, then the name (in documents), then the value (with
 * `compare`). A prefix comes before the longer document.
 */
export function compareDocuments(
  a: Uint8Array,
  aOffset: number,
  b: Uint8Array,
  bOffset: number,
  named: boolean,
  compare: (a: Value, b: Value) => number = compareValues,
): number {
  let left = elementAt(a, aOffset + 4);
  let right = elementAt(b, bOffset + 4);
  while (left !== undefined && right !== undefined) {
    const ranks = rankOf(left.type) - rankOf(right.type);
    if (ranks !== 0) return Math.sign(ranks);
    const names = named
      ? compareSpans(a, left.nameStart, left.nameEnd, b, right.nameStart, right.nameEnd)
      : 0;
    const order = names || compare(left, right);
    if (order !== 0) return order;
    left = elementAt(a, left.end);
    right = elementAt(b, right.end);
  }
  return Number(left !== undefined) - Number(right !== undefined);
}
