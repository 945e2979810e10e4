import { bsonTypes } from '../bson/bson-types.ts';
import type { Comparison } from '../bson/collation/index.ts';
import {
  type Bounds,
  boundsOfTypes,
  complement,
  type Interval,
  intersect,
  unite,
} from '../language/filter/bounds.ts';
import { allTexts, irregularTexts } from '../language/filter/collated-bounds.ts';
import type { IndexDefinition } from '../storage/model/index-definition.ts';
import { isMultikey } from '../storage/model/multikey.ts';
import { hasIrregular, hasTextInside } from '../storage/model/value-types.ts';
import type { SortPart } from './order.ts';
import type { Predicate, Predicates } from './predicates.ts';

/** The types of values whose order depends on a collation. */
const types = [bsonTypes.string, bsonTypes.object, bsonTypes.array].map((type) =>
  boundsOfTypes([type], false),
);
const collatable: Bounds = unite(types);

/** True if the order of values within the intervals depends on a collation. */
export function isCollatable(intervals: readonly Interval[]): boolean {
  return intersect({ intervals }, collatable).intervals.length > 0;
}

/** True if an index and a query compare strings in the same way, so that the keys are in the order of the query. */
export function isAlike({ collation }: IndexDefinition, comparison: Comparison | undefined): boolean {
  return collation === comparisonText(comparison);
}

function comparisonText(comparison: Comparison | undefined): string | undefined {
  return comparison?.collation && JSON.stringify(comparison.collation);
}

/**
 * Returns the predicates that bound the keys of an index. A predicate on texts bounds the keys only if the
 * index has the collation of the query. In an index with a collation, a regular expression may match any
 * text, so its bounds include all texts.
 */
export function predicatesUnder(
  index: IndexDefinition,
  { all, texts }: Predicates,
  comparison: Comparison | undefined,
): readonly Predicate[] {
  if (index.collation === undefined) return all;
  const alike = isAlike(index, comparison);
  const widened = all.flatMap((predicate) => {
    const bounds = withWholeTypes(predicate.bounds);
    const byText = bounds !== predicate.bounds && predicate.condition.operator !== '$regex';
    return byText ? [] : [{ ...predicate, bounds }];
  });
  if (!alike) return widened;
  const own = texts.flatMap(({ collated, negated, ...predicate }) => {
    const found = collated();
    if (found === undefined || (negated && found.exact !== true)) return [];
    return [{ ...predicate, bounds: withIrregular(index, negated ? complement(found) : found) }];
  });
  return [...widened, ...own];
}

/** If bounds contain some but not all texts, documents or arrays, extends the bounds to all values of this type. */
function withWholeTypes(bounds: Bounds): Bounds {
  const partial = types.filter((type) => {
    const { intervals } = intersect(bounds, type);
    return intervals.length > 0 && !contains(intervals, type);
  });
  return partial.length === 0 ? bounds : { intervals: unite([bounds, ...partial]).intervals };
}

function contains([first, ...others]: readonly Interval[], { intervals: [type] }: Bounds): boolean {
  if (first === undefined || type === undefined || others.length > 0) return false;
  const starts = first.low.inclusive && Buffer.compare(first.low.key, type.low.key) === 0;
  return starts && Buffer.compare(first.high.key, type.high.key) === 0;
}

/**
 * True if an index may contain texts without a sort key. A multikey index always may, because the types of the values
 * in arrays are not recorded.
 */
function mayBeIrregular({ multikey, types: known }: IndexDefinition): boolean {
  return isMultikey(multikey) || known?.some(hasIrregular) !== false;
}

/** True if all keys of an index are in the order of its collation. */
export function isInOrder(index: IndexDefinition): boolean {
  return !mayBeIrregular(index) && index.types?.some(hasTextInside) === false;
}

/** Adds the texts without a sort key to bounds, because these texts may be anywhere in the order. */
function withIrregular(index: IndexDefinition, bounds: Bounds): Bounds {
  if (!mayBeIrregular(index)) return bounds;
  if (intersect(bounds, allTexts).intervals.length === 0) return bounds;
  return unite([bounds, irregularTexts]);
}

/** True if an index can provide the sort in the order in which the query compares strings. */
export function canSort(
  index: IndexDefinition,
  bounds: ReadonlyArray<readonly Interval[]>,
  sort: readonly SortPart[],
  comparison: Comparison | undefined,
): boolean {
  if (index.collation === undefined && comparison?.collation === undefined) return true;
  if (isAlike(index, comparison) && isInOrder(index)) return true;
  return index.parts.every(
    ({ path }, i) => !sort.some((part) => part.path === path.text) || !isCollatable(bounds[i] ?? []),
  );
}
