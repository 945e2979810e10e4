import { RawDocument } from '../bson/raw.ts';
import { step } from '../bson/turns.ts';
import { ServerError } from '../errors/server-error.ts';
import { type Bounds, type Interval, intersect } from '../language/filter/bounds.ts';
import type { Condition } from '../language/filter/index.ts';
import type { IndexDefinition } from '../storage/model/index-definition.ts';
import type { Predicate } from './predicates.ts';

/**
 * The number of pairs of conditions that are compared for one index, and for all indexes and alternatives of a query. A
 * filter of 100 conditions and a partial filter of 10 have 1,000 pairs. A pair takes up to 4 µs.
 */
const PAIRS_PER_INDEX = 20_000;
const PAIRS_PER_QUERY = 200_000;

/** The number of pairs of conditions that may still be compared. */
export interface PairLimit {
  left: number;
}

export const newPairLimit = (): PairLimit => ({ left: PAIRS_PER_QUERY });

/**
 * True if it is certain that the index contains every document that the filter matches. If this would need too many
 * comparisons, returns false, so that the query does not use the index.
 */
export function containsAllMatches(
  index: IndexDefinition,
  root: Condition,
  predicates: readonly Predicate[],
  pairs: PairLimit,
): boolean {
  const { partial } = index;
  if (partial !== undefined && !isImplied(root, partial.root, pairs)) return false;
  if (!index.sparse) return true;
  return index.parts.some((part) =>
    predicates.some((predicate) => predicate.path === part.path.text && needsField(predicate)),
  );
}

/** True if it is certain that only documents with the field match. */
export function needsField({ condition, mayBeMissing = false }: Predicate): boolean {
  return !mayBeMissing && failsWhenEmpty(condition);
}

/** True if it is certain that the condition fails on an empty document. */
function failsWhenEmpty(condition: Condition): boolean {
  try {
    return !condition.matches(RawDocument.empty);
  } catch (error) {
    // An expression may throw for an empty document although it is true for other documents.
    if (error instanceof ServerError) return false;
    throw error;
  }
}

function isImplied(given: Condition, wanted: Condition, pairs: PairLimit): boolean {
  const own = { left: Math.min(PAIRS_PER_INDEX, pairs.left) };
  const before = own.left;
  try {
    return implies(given, wanted, own);
  } finally {
    pairs.left -= before - Math.max(own.left, 0);
  }
}

/**
 * True if it is certain that every document that satisfies `given` also satisfies `wanted`. Beyond the limit of pairs,
 * no further conditions are compared, and the result is not certain.
 */
function implies(given: Condition, wanted: Condition, pairs: PairLimit): boolean {
  step();
  if (--pairs.left < 0) return false;
  const { operator, children = [] } = wanted;
  const among = given.children ?? [];
  if (operator === '$and') return children.every((child) => implies(given, child, pairs));
  if (given.operator === '$or') return among.every((child) => implies(child, wanted, pairs));
  if (given.operator === '$and' && among.some((child) => implies(child, wanted, pairs))) return true;
  if (operator === '$or') return children.some((child) => implies(given, child, pairs));
  return leafImplies(given, wanted);
}

function leafImplies(given: Condition, wanted: Condition): boolean {
  const [own, other] = [given.leaf, wanted.leaf];
  if (other === undefined) return false;
  if (wanted.operator === '$exists') {
    return pathsOf(given).includes(other.path.text) && failsWhenEmpty(given);
  }
  if (own === undefined || own.path.text !== other.path.text) return false;
  const { types } = other;
  if (types !== undefined) {
    // Like the server, do not conclude the type of a field from its value.
    return own.types !== undefined && [...own.types].every((type) => types.has(type));
  }
  if (own.bounds === undefined || other.bounds?.exact !== true) return false;
  return contains(other.bounds, own.bounds);
}

function pathsOf({ leaf, children = [], operator }: Condition): string[] {
  if (leaf !== undefined) return [leaf.path.text];
  return operator === '$not' ? children.flatMap(pathsOf) : [];
}

/** True if the outer bounds contain all inner bounds. */
function contains(outer: Bounds, inner: Bounds): boolean {
  const { intervals } = intersect(outer, inner);
  return (
    intervals.length === inner.intervals.length &&
    intervals.every((interval, at) => same(interval, inner.intervals[at] as Interval))
  );
}

function same(a: Interval, b: Interval): boolean {
  return (
    Buffer.compare(a.low.key, b.low.key) === 0 &&
    Buffer.compare(a.high.key, b.high.key) === 0 &&
    a.low.inclusive === b.low.inclusive &&
    a.high.inclusive === b.high.inclusive
  );
}
