import { keep } from '../bson/turns.ts';
import type { Element, Value } from '../bson/value.ts';
import type { Statement } from '../statement/statement.ts';

/**
 * Estimated memory of one part of what the running statement compiles: its objects, functions and names. A command of
 * 16 MB can contain eight million conditions, whose compiled form would take 10 GB.
 */
const PART_BYTES = {
  'a filter': 1_024,
  'a schema': 512,
  'an expression': 512,
  'a projection': 512,
  'an update': 512,
  'a pipeline': 512,
} as const;

type Compiled = keyof typeof PART_BYTES;

/** Counts parts of what the running statement compiles. */
export function keepParts(what: Compiled, count = 1): void {
  keep(count * PART_BYTES[what], what);
}

/**
 * Estimated memory of a value that is kept as an object. A list of 1.3 million integers, which fits in a command of 16
 * MB, stays below the memory limit of a statement.
 */
const VALUE_BYTES = 72;

/** Returns the values as a list, whose memory the running statement counts. */
export function listed<T extends Value>(values: Iterable<T>, what: Compiled): T[] {
  const list: T[] = [];
  for (const value of values) {
    keep(VALUE_BYTES, what);
    list.push(value);
  }
  return list;
}

/** Estimated memory of a value that is kept as a key, in addition to the characters of the key. */
const KEY_BYTES = 56;

/** Returns the keys of the values, whose memory the running statement counts. */
export function keysOf(
  values: Iterable<Value>,
  keyText: (value: Value) => string,
  what: Compiled,
  statement: Statement,
): Set<string> {
  const keys = new Set<string>();
  for (const value of values) {
    statement.check();
    const key = keyText(value);
    keep(KEY_BYTES + key.length, what);
    keys.add(key);
  }
  return keys;
}

/** Compiles each element of a document or array. Counts the memory of each element before it compiles the next one. */
export function mapParts<T>(
  elements: Iterable<Element>,
  what: Compiled,
  compile: (element: Element) => T,
): T[] {
  const compiled: T[] = [];
  for (const element of elements) {
    keepParts(what);
    compiled.push(compile(element));
  }
  return compiled;
}
