import { bsonTypes } from '../../bson/bson-types.ts';
import { entriesOf, type RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { isAllKeys } from '../../language/filter/bounds.ts';
import type { AccessPath } from '../../storage/model/access-path.ts';
import { conditionsOf, conjunction, type ShownCondition } from './parsed-query.ts';

/** Operators whose bounds contain only matching values. */
const exact: ReadonlySet<string> = new Set(['$eq', '$lt', '$lte', '$gt', '$gte', '$in']);
/** Values of which an index also contains keys for other values: null for missing fields, arrays by their entries. */
const inexact: ReadonlySet<number> = new Set([
  bsonTypes.null,
  bsonTypes.undefined,
  bsonTypes.array,
  bsonTypes.object,
  bsonTypes.regex,
]);

/** Returns the conditions of a filter that must be tested on the documents of an access path, in their shown form. */
export function residualFilter(filter: RawDocument, path: AccessPath): RawDocument {
  const conditions = conditionsOf(filter);
  return conjunction(conditions.filter((condition) => !isAnswered(condition, conditions, path)));
}

/** True if all documents on the path meet the condition. */
function isAnswered(condition: ShownCondition, all: readonly ShownCondition[], path: AccessPath): boolean {
  if (!exact.has(condition.operator) || !isExact(condition)) return false;
  if (path.kind === 'byId') return path.intervals !== undefined && condition.path === '_id';
  if (path.kind !== 'index' || path.index.kind !== 'ordinary' || path.index.collated) return false;
  const { index, bounds } = path;
  const at = index.parts.findIndex(({ path: { text } }) => text === condition.path);
  const intervals = bounds?.[at];
  if (at < 0 || intervals === undefined || isAllKeys(intervals)) return false;
  // Of several conditions on an array, the bounds hold those that different entries meet.
  const others = all.filter((other) => other.path === condition.path);
  return others.length === 1 || index.multikey[at]?.size === 0;
}

function isExact({ operator, operand }: ShownCondition): boolean {
  const values: readonly Value[] = operator === '$in' ? entriesOf(operand) : [operand];
  return values.every(({ type }) => !inexact.has(type));
}
