import { bsonTypes } from '../../bson/bson-types.ts';
import { entriesOf, type RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { isAllKeys } from '../../language/filter/bounds.ts';
import type { AccessPath } from '../../storage/model/access-path.ts';
import { conditionsOf, conjunction, type ShownCondition } from './parsed-query.ts';

/** Operators whose index bounds contain only values that match the condition. */
const exact: ReadonlySet<string> = new Set(['$eq', '$lt', '$lte', '$gt', '$gte', '$in']);
/**
 * Types of operands whose index keys also stand for other values. For example, a missing field has the key of null, and
 * the elements of an array have the same keys as single values.
 */
const inexact: ReadonlySet<number> = new Set([
  bsonTypes.null,
  bsonTypes.undefined,
  bsonTypes.array,
  bsonTypes.object,
  bsonTypes.regex,
]);

/** Operators whose conditions `explain` shows at the scan of the index, if the scan tests the keys. */
const testedOnKeys: ReadonlySet<string> = new Set(['$regex', '$mod']);

/** The conditions of a filter that must still be tested, in the form in which `explain` shows them. */
interface Residual {
  readonly onKeys: RawDocument;
  readonly onDocuments: RawDocument;
}

/** Returns the conditions that must still be tested on the index keys and on the documents of an access path. */
export function residualFilter(filter: RawDocument, path: AccessPath): Residual {
  const conditions = conditionsOf(filter);
  const counts = new Map<string, number>();
  for (const condition of conditions) counts.set(condition.path, (counts.get(condition.path) ?? 0) + 1);
  const isOnly = (condition: ShownCondition) => counts.get(condition.path) === 1;
  const rest = conditions.filter((condition) => !isAnswered(condition, isOnly, path));
  const isOnKey = (condition: ShownCondition) => isTestedOnKey(condition, path);
  return {
    onKeys: conjunction(rest.filter(isOnKey)),
    onDocuments: conjunction(rest.filter((condition) => !isOnKey(condition))),
  };
}

function isTestedOnKey({ operator, path: field }: ShownCondition, path: AccessPath): boolean {
  if (path.kind !== 'index' || path.keyTest === undefined || path.covered !== undefined) return false;
  const part = path.index.parts.findIndex(({ path: { text } }) => text === field);
  return testedOnKeys.has(operator) && path.keyTest.parts.has(part);
}

/**
 * True if every document that the access path returns meets the condition. `isOnly` returns true if a condition is the
 * only one on its field.
 */
function isAnswered(
  condition: ShownCondition,
  isOnly: (condition: ShownCondition) => boolean,
  path: AccessPath,
): boolean {
  if (!exact.has(condition.operator) || !isExact(condition)) return false;
  if (path.kind === 'byId') return path.intervals !== undefined && condition.path === '_id';
  if (path.kind !== 'index' || path.index.kind !== 'ordinary' || path.index.collated) return false;
  const { index, bounds } = path;
  const at = index.parts.findIndex(({ path: { text } }) => text === condition.path);
  const intervals = bounds?.[at];
  if (at < 0 || intervals === undefined || isAllKeys(intervals)) return false;
  // In an array, each of several conditions can hold for a different element. One key does not prove all of them.
  return index.multikey[at]?.size === 0 || isOnly(condition);
}

function isExact({ operator, operand }: ShownCondition): boolean {
  const values: readonly Value[] = operator === '$in' ? entriesOf(operand) : [operand];
  return values.every(({ type }) => !inexact.has(type));
}
