import { RawDocument } from '../bson/raw.ts';
import { step } from '../bson/turns.ts';
import { ServerError } from '../errors/server-error.ts';
import { type Bounds, type Interval, intersect } from '../language/filter/bounds.ts';
import type { Condition } from '../language/filter/index.ts';
import type { IndexDefinition } from '../storage/model/index-definition.ts';
import type { Predicate } from './predicates.ts';

/** True if the index contains every document that the filter matches. */
export function containsAllMatches(
  index: IndexDefinition,
  root: Condition,
  predicates: readonly Predicate[],
): boolean {
  const { partial } = index;
  if (partial !== undefined && !implies(root, partial.root)) return false;
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

/** True if it is certain that every document that satisfies `given` also satisfies `wanted`. */
function implies(given: Condition, wanted: Condition): boolean {
  step();
  const { operator, children = [] } = wanted;
  if (operator === '$and') return children.every((child) => implies(given, child));
  if (given.operator === '$or') return (given.children ?? []).every((child) => implies(child, wanted));
  if (given.operator === '$and' && (given.children ?? []).some((child) => implies(child, wanted)))
    return true;
  if (operator === '$or') return children.some((child) => implies(given, child));
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
