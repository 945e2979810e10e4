import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { documentOf, entriesOf, type RawDocument } from '../../../bson/raw.ts';
import type { Value } from '../../../bson/value.ts';
import type { Details } from './schema-details.ts';

/** Values that are listed at most. */
const MAX_LISTED = 10;

/** The values that a condition tested, or undefined if its field is missing. */
export type Considered = readonly Value[] | undefined;

/**
 * Returns the values at a path. The path continues in each document of an array. If the path ends at an array, the
 * values are its entries, or the array if `whole`.
 */
export function valuesAt(document: RawDocument, path: string, whole: boolean): Considered {
  const found: Value[] = [];
  const exists = collect(document.toValue(), path.split('.'), whole, found);
  return exists || found.length > 0 ? found : undefined;
}

/** Collects values up to the first missing field. Returns true if the path leads to a value, such as an empty array. */
function collect(value: Value, [name, ...rest]: readonly string[], whole: boolean, found: Value[]): boolean {
  if (name === undefined) {
    if (whole || value.type !== bsonTypes.array) found.push(value);
    // Passing all entries to a single call of `push` would overflow the stack if there are very many.
    else for (const entry of documentOf(value)) found.push(entry);
    return true;
  }
  if (value.type === bsonTypes.object) {
    const inner = documentOf(value).get(name);
    return inner !== undefined && collect(inner, rest, whole, found);
  }
  if (value.type !== bsonTypes.array) return false;
  const entries = entriesOf(value);
  for (const entry of entries)
    if (entry.type === bsonTypes.object && !collect(entry, [name, ...rest], whole, found)) return false;
  const indexed = /^\d+$/.test(name) ? entries[Number(name)] : undefined;
  return indexed !== undefined && collect(indexed, rest, whole, found);
}

export function listed(values: readonly Value[]): Details {
  if (values.length === 1) return { consideredValue: values[0] };
  const shown = values.slice(0, MAX_LISTED);
  const truncated = shown.length < values.length ? { consideredValuesTruncated: true } : {};
  return { consideredValues: shown, ...truncated };
}

export function typesOf(values: readonly Value[]): Details {
  return named(
    'considered',
    values.slice(0, MAX_LISTED).map(({ type }) => typeName(type)),
  );
}

const numbers = ['decimal', 'double', 'int', 'long'];
const bits = ['binData', ...numbers];

/** The types of values that an operator tests; absent if it tests all types. */
const expected: Readonly<Record<string, readonly string[]>> = {
  $mod: numbers,
  $size: ['array'],
  $elemMatch: ['array'],
  $regex: ['regex', 'string', 'symbol'],
  $bitsAllSet: bits,
  $bitsAllClear: bits,
  $bitsAnySet: bits,
  $bitsAnyClear: bits,
};

/** Explains that no value has a type that the operator tests. Returns undefined if a value has. */
export function mismatchOf(operator: string, values: readonly Value[]): Details | undefined {
  const types = expected[operator];
  if (types === undefined || values.some(({ type }) => types.includes(typeName(type)))) return undefined;
  return { reason: 'type did not match', ...typesOf(values), ...named('expected', types) };
}

function named(prefix: string, types: readonly string[]): Details {
  const distinct = [...new Set(types)].sort();
  if (distinct.length === 0) return {};
  return distinct.length === 1 ? { [`${prefix}Type`]: distinct[0] } : { [`${prefix}Types`]: distinct };
}
