import { bsonTypes } from '../../bson/bson-types.ts';
import { findField, type RawDocument } from '../../bson/raw.ts';
import { step } from '../../bson/turns.ts';
import { type PathPart, positionAt } from '../paths.ts';
import type { Condition, Leaf } from './filter.ts';

/**
 * Returns the index of the array entry by which a document matches. If several conditions concern arrays, the last
 * one in the server's order of evaluation counts. Conditions below `$or`, `$nor` and `$not` do not count, except an
 * `$or` of equalities on one path, which the server rewrites to `$in`.
 */
export function positionOf(condition: Condition, doc: RawDocument): number | undefined {
  const { leaf, operator } = condition;
  if (leaf !== undefined) return positionOfLeaf(leaf, doc);
  if (operator === '$or') return positionOfAny(condition, doc);
  if (operator !== '$and') return undefined;
  let found: number | undefined;
  for (const child of inOrder(condition)) found = positionOf(child, doc) ?? found;
  return found;
}

function positionOfAny({ children = [] }: Condition, doc: RawDocument): number | undefined {
  const leaves = children.flatMap(({ leaf, operator }) =>
    leaf !== undefined && listed.has(operator) ? [leaf] : [],
  );
  const [first] = leaves;
  if (first === undefined || leaves.length !== children.length) return undefined;
  if (leaves.some(({ path }) => path.text !== first.path.text)) return undefined;
  return positionAt(first.path, doc, (value) => leaves.some(({ test }) => test(value)));
}

/** Operators that the server merges into `$in` when an `$or` consists of them. */
const listed: ReadonlySet<string> = new Set(['$eq', '$in', '$regex']);

/** The operators that the server evaluates first within an `$and`, in this order. */
const ranks = ['$and', '$or', '$elemMatch', '$size', '$eq', '$lte', '$lt', '$gt', '$gte', '$regex', '$mod'];

const ordered = new WeakMap<Condition, readonly Condition[]>();

function inOrder(condition: Condition): readonly Condition[] {
  let found = ordered.get(condition);
  if (found === undefined) {
    found = [...flattened(condition)].sort((a, b) => {
      step();
      return rankOf(a) - rankOf(b) || Number(pathIn(a) > pathIn(b)) - Number(pathIn(a) < pathIn(b));
    });
    ordered.set(condition, found);
  }
  return found;
}

function flattened({ children = [] }: Condition): Condition[] {
  return children.flatMap((child) => (child.operator === '$and' ? flattened(child) : [child]));
}

function rankOf({ operator }: Condition): number {
  const rank = ranks.indexOf(operator);
  return rank === -1 ? ranks.length : rank;
}

function pathIn({ leaf }: Condition): string {
  return leaf?.path.text ?? '';
}

function positionOfLeaf({ path, test, entry }: Leaf, doc: RawDocument): number | undefined {
  if (entry === undefined) return positionAt(path, doc, test);
  const [part, ...others] = path.parts as [PathPart, ...PathPart[]];
  let value = findField(doc.bytes, doc.offset, part.bytes);
  for (const { bytes } of others) {
    // An array before the end of the path determines the index.
    if (value?.type === bsonTypes.array) return positionAt(path, doc, test);
    if (value?.type !== bsonTypes.object) return undefined;
    value = findField(value.bytes, value.start, bytes);
  }
  return value?.type === bsonTypes.array ? entry(value) : undefined;
}
