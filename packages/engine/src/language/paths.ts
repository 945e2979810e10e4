import { bsonTypes } from '../bson/bson-types.ts';
import { encodeName, findField, type RawDocument } from '../bson/raw.ts';
import { MAX_DEPTH } from '../bson/validate.ts';
import { elementAt, type Value } from '../bson/value.ts';

/** A parsed dotted path. */
export interface Path {
  readonly text: string;
  readonly parts: readonly PathPart[];
}

export interface PathPart {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The part as an array index; -1 unless it is an integer without leading zeros. */
  readonly index: number;
}

/**
 * Maximum number of parts of a path that can be array indexes. Further numbers are names of fields. At each number, a
 * path can continue in two ways. Without a limit, a path of a hundred numbers could continue in 2^50 ways.
 */
const MAX_INDEXES = 12;

/**
 * Parses a path. Omits the parts beyond the maximum nesting depth, because no document has a value at a longer path. A
 * name of 16 MB could have eight million parts.
 */
export function pathOf(text: string): Path {
  let indexes = 0;
  const parts = text.split('.', MAX_DEPTH + 1).map((name) => {
    const part = partOf(name);
    return part.index >= 0 && ++indexes > MAX_INDEXES ? { ...part, index: -1 } : part;
  });
  return { text, parts };
}

export function partOf(name: string): PathPart {
  return { name, bytes: encodeName(name), index: /^(0|[1-9]\d{0,9})$/.test(name) ? Number(name) : -1 };
}

export type Test = (value: Value | undefined) => boolean;

/**
 * True if any value at the path passes the test. At an array, the rest of the path is followed in each
 * document of the array. If the next part of the path is a number, the rest is also followed in the entry
 * with this index. An array at the end of the path is tested entry by entry and then as a whole. If the path
 * does not exist, the test receives `undefined`. If an array on the path contains no documents, the test is
 * not called.
 */
export function someValueAt(path: Path, doc: RawDocument, test: Test): boolean {
  return inDocument(path.parts, 0, doc.bytes, doc.offset, test, true);
}

/** Like `someValueAt`, but an array at the end of the path is tested only as a whole. */
export function someWholeAt(path: Path, doc: RawDocument, test: Test): boolean {
  return inDocument(path.parts, 0, doc.bytes, doc.offset, test, false);
}

function inDocument(
  parts: readonly PathPart[],
  depth: number,
  bytes: Uint8Array,
  offset: number,
  test: Test,
  entries: boolean,
): boolean {
  const value = findField(bytes, offset, (parts[depth] as PathPart).bytes);
  if (value === undefined) return test(undefined);
  if (depth === parts.length - 1) {
    return (entries && value.type === bsonTypes.array && someEntry(value, test)) || test(value);
  }
  if (value.type === bsonTypes.object) return inDocument(parts, depth + 1, bytes, value.start, test, entries);
  if (value.type === bsonTypes.array) return inArray(parts, depth + 1, value, test, entries);
  return test(undefined);
}

function someEntry(array: Value, test: Test): boolean {
  const { bytes } = array;
  for (let entry = elementAt(bytes, array.start + 4); entry; entry = elementAt(bytes, entry.end)) {
    if (test(entry)) return true;
  }
  return false;
}

/** Follows `parts[depth]` in the entries of the array. */
function inArray(
  parts: readonly PathPart[],
  depth: number,
  array: Value,
  test: Test,
  entries: boolean,
): boolean {
  const { bytes } = array;
  const position = (parts[depth] as PathPart).index;
  let index = 0;
  for (let entry = elementAt(bytes, array.start + 4); entry; entry = elementAt(bytes, entry.end)) {
    if (entry.type === bsonTypes.object && inDocument(parts, depth, bytes, entry.start, test, entries)) {
      return true;
    }
    if (index++ === position && atPosition(parts, depth, entry, test, entries)) return true;
  }
  return false;
}

/** Follows an array entry addressed by its index. If the entry is an array, its entries are not traversed. */
function atPosition(
  parts: readonly PathPart[],
  depth: number,
  entry: Value,
  test: Test,
  entries: boolean,
): boolean {
  if (depth === parts.length - 1) return test(entry);
  if (entry.type === bsonTypes.object) {
    return inDocument(parts, depth + 1, entry.bytes, entry.start, test, entries);
  }
  return entry.type === bsonTypes.array && inArray(parts, depth + 1, entry, test, entries);
}

/**
 * Returns the index of the matching entry in the first array on the path. In an update, `$` denotes this
 * index. Returns undefined if there is no array on the path or no entry passes the test.
 */
export function positionAt({ parts }: Path, { bytes, offset }: RawDocument, test: Test): number | undefined {
  return positionBelow(parts, 0, bytes, offset, test);
}

function positionBelow(
  parts: readonly PathPart[],
  first: number,
  bytes: Uint8Array,
  start: number,
  test: Test,
): number | undefined {
  let offset = start;
  for (let depth = first; depth < parts.length; depth++) {
    const value = findField(bytes, offset, (parts[depth] as PathPart).bytes);
    if (value === undefined) return undefined;
    if (value.type === bsonTypes.array) return positionIn(parts, depth + 1, value, test);
    offset = value.start;
    if (value.type !== bsonTypes.object) return undefined;
  }
  return undefined;
}

function positionIn(parts: readonly PathPart[], depth: number, array: Value, test: Test): number | undefined {
  const { bytes } = array;
  const last = depth === parts.length;
  const named = last ? -1 : (parts[depth] as PathPart).index;
  let index = 0;
  for (let entry = elementAt(bytes, array.start + 4); entry; entry = elementAt(bytes, entry.end)) {
    const found = last
      ? test(entry)
      : entry.type === bsonTypes.object && inDocument(parts, depth, bytes, entry.start, test, true);
    if (found) return index;
    // An index in the path does not count as a match for `$`, but an array below it does.
    if (index === named && atPosition(parts, depth, entry, test, true)) {
      if (entry.type === bsonTypes.array) return positionIn(parts, depth + 1, entry, test);
      return positionBelow(parts, depth + 1, bytes, entry.start, test);
    }
    index++;
  }
  return undefined;
}
