import { bsonTypes } from '../bson/bson-types.ts';
import { truthOfNumber } from '../bson/numbers/convert.ts';
import type { RawDocument } from '../bson/raw.ts';
import { boolOf, isNumber, type Value } from '../bson/value.ts';
import type { Filter } from '../language/filter/index.ts';
import { canDecodeValues } from '../storage/indexes/covered.ts';
import type { IndexDefinition } from '../storage/model/index-definition.ts';
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

const combining: ReadonlySet<string> = new Set(['$and', '$or', '$nor', '$not']);

/**
 * Adds the paths that the filter tests to `names`. Returns false if the filter contains a near condition, or a part
 * that tests no path.
 */
function addFiltered({ operator, children, leaf, near }: Filter['root'], names: Set<string>): boolean {
  if (near !== undefined) return false;
  if (leaf !== undefined) {
    names.add(leaf.path.text);
    return true;
  }
  return combining.has(operator) && (children ?? []).every((child) => addFiltered(child, names));
}

function addSorted(sort: RawDocument | undefined, names: Set<string>): boolean {
  const parts = sortParts(sort);
  for (const { path } of parts ?? []) names.add(path);
  return parts !== undefined;
}

/**
 * Returns the positions of the fields in the index. Returns undefined if the index lacks a field, if a name
 * such as `0` could be an array index, or if one of the fields contains another.
 */
function partsOf(index: IndexDefinition, names: ReadonlySet<string>): ReadonlySet<number> | undefined {
  const found = new Set<number>();
  for (const name of names) {
    const i = index.parts.findIndex(({ path }) => path.text === name);
    if (i < 0 || index.parts[i]?.path.parts.some((part) => part.index >= 0)) return undefined;
    if ([...names].some((other) => other.startsWith(`${name}.`))) return undefined;
    found.add(i);
  }
  return found;
}
