import { bsonTypes } from '../bson/bson-types.ts';
import { truthOfNumber } from '../bson/numbers/convert.ts';
import type { RawDocument } from '../bson/raw.ts';
import { boolOf, isNumber, type Value } from '../bson/value.ts';
import type { Filter } from '../language/filter/index.ts';
import { canDecodeValues } from '../storage/indexes/covered.ts';
import { addFiltered, partsOf } from './key-test.ts';
import { sortParts } from './order.ts';
import type { Plan, PlanOptions } from './plan.ts';

/**
 * If the index of a plan contains all fields that the query reads, converts the plan to a covered plan. A covered plan
 * reads only keys.
 */
export function coveredPlan(
  planned: Plan,
  { root, comparison: own }: Filter,
  { sort, projection, collection, comparison = own }: PlanOptions,
): Plan {
  const { path } = planned;
  if (path.kind !== 'index' || projection === undefined || projection.isEmpty) return planned;
  if (collection?.readsKeys !== true || comparison !== undefined) return planned;
  const names = new Set<string>();
  const known =
    addProjected(projection, names) && addFiltered(root, names) && (planned.sorted || addSorted(sort, names));
  const parts = known ? partsOf(path.index, names) : undefined;
  if (parts === undefined || !canDecodeValues(path.index, parts)) return planned;
  return { ...planned, path: { ...path, covered: parts } };
}

/** Adds the projected fields to `names`. Returns false unless the projection consists of whole fields. */
function addProjected(projection: RawDocument, names: Set<string>): boolean {
  let withId = true;
  for (const field of projection) {
    const included = isIncluded(field);
    if (included === undefined || (!included && field.name !== '_id')) return false;
    if (field.name === '_id') withId = included;
    else names.add(field.name);
  }
  if (withId) names.add('_id');
  // If there are no names, the projection only excludes `_id` and therefore returns fields that it does not
  // name.
  return names.size > 0;
}

function isIncluded(value: Value): boolean | undefined {
  if (isNumber(value)) return truthOfNumber(value);
  return value.type === bsonTypes.bool ? boolOf(value) : undefined;
}

function addSorted(sort: RawDocument | undefined, names: Set<string>): boolean {
  const parts = sortParts(sort);
  for (const { path } of parts ?? []) names.add(path);
  return parts !== undefined;
}
