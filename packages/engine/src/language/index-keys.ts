import { bsonTypes } from '../bson/bson-types.ts';
import { documentOf, entriesOf, findField, type RawDocument } from '../bson/raw.ts';
import { step } from '../bson/turns.ts';
import { nullValue, Value } from '../bson/value.ts';
import { ServerError } from '../errors/server-error.ts';
import type { Path } from './paths.ts';

/** One value per path: an index entry, or a candidate for a sort key. */
export type KeyTuple = readonly Value[];

const undefinedValue = new Value(bsonTypes.undefined, nullValue.bytes, 0, 0);

/** The progress of following a path in a document. */
interface Position {
  readonly path: Path;
  /** Number of parts already followed. */
  readonly depth: number;
  readonly value: Value | undefined;
  /** True if the path ends at this value, even if the value is an array. */
  readonly final: boolean;
}

/**
 * Called for every array that a path enters. `path` is the index of the path, and `depth` is the number of path parts
 * that lead to the array.
 */
export type ArrayWatcher = (path: number, depth: number) => void;

interface TupleVisitor {
  visit(tuple: KeyTuple): void;
  /** Returns the error for two arrays on different paths. */
  parallel(): ServerError;
  readonly watch?: ArrayWatcher | undefined;
}

/**
 * Visits all index entries of a document for the paths. An array yields one tuple per entry. A missing value becomes null,
 * and an empty array at the end of a path becomes the BSON value `undefined`. Several paths may traverse the same array,
 * but not two parallel arrays. The tuples are not listed, because an array may have eight million entries.
 */
export function visitTuples(paths: readonly Path[], doc: RawDocument, visitor: TupleVisitor): void {
  const root = doc.toValue();
  expand(
    paths.map((path) => ({ path, depth: 0, value: root, final: false })),
    visitor,
  );
}

function expand(from: readonly Position[], visitor: TupleVisitor): void {
  step();
  const positions = from.map(advance);
  const array = positions.find(isAtArray)?.value;
  if (array === undefined) {
    visitor.visit(positions.map(({ value }) => value ?? nullValue));
    return;
  }
  for (const [i, position] of positions.entries()) {
    if (!isAtArray(position)) continue;
    if (position.value?.start !== array.start) throw visitor.parallel();
    visitor.watch?.(i, position.depth);
  }
  const inside = (entry: Value | undefined) =>
    expand(
      positions.map((position) => (isAtArray(position) ? enter(position, entry) : position)),
      visitor,
    );
  const entries = documentOf(array);
  if (entries.isEmpty) inside(undefined);
  else for (const entry of entries) inside(entry);
}

function isAtArray({ value, final }: Position): boolean {
  return !final && value?.type === bsonTypes.array;
}

/** Continues a path at one entry of an array. `entry` is `undefined` for an empty array. */
function enter({ path, depth }: Position, entry: Value | undefined): Position {
  if (depth === path.parts.length) return { path, depth, value: entry ?? undefinedValue, final: true };
  // A path does not reach documents in an array within an array.
  const reachable = entry?.type === bsonTypes.object;
  return { path, depth, value: reachable ? entry : undefined, final: !reachable };
}

/** Follows a path to its end or to an array that must be expanded. */
function advance(position: Position): Position {
  const { path } = position;
  let { depth, value } = position;
  if (position.final) return position;
  while (depth < path.parts.length) {
    const part = path.parts[depth];
    if (value === undefined || part === undefined) break;
    if (value.type === bsonTypes.object) value = findField(value.bytes, value.start, part.bytes);
    else if (value.type === bsonTypes.array) {
      const entry = part.index < 0 ? undefined : entryAt(value, part.index, part.name);
      if (entry === undefined) return { path, depth, value, final: false };
      value = entry;
    } else value = undefined;
    depth++;
  }
  return { path, depth, value, final: false };
}

function entryAt(array: Value, index: number, name: string): Value | undefined {
  const entries = entriesOf(array);
  const found = entries[index];
  if (found === undefined) return undefined;
  for (const entry of entries) {
    if (entry.type === bsonTypes.object && documentOf(entry).has(name)) {
      throw new ServerError(
        16746,
        'Ambiguous field name found in array (do not use numeric field names in embedded elements ' +
          `in an array), field: '${name}'`,
      );
    }
  }
  return found;
}
