import { bsonTypes } from '../../bson/bson-types.ts';
import { compareValues } from '../../bson/compare.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { bool, type Element, int32, string, type Value } from '../../bson/value.ts';
import { arrayOf } from '../../language/expression/field-path.ts';
import { referenceNames } from '../../language/field-path.ts';
import { isTrue } from '../../language/filter/existence.ts';
import { regexParts } from '../../language/filter/regex.ts';

/** A condition as `explain` shows it. */
export interface ShownCondition {
  readonly path: string;
  readonly operator: string;
  readonly operand: Value;
  /** The flags of a regular expression. */
  readonly options?: Value;
}

/**
 * The order in which the server sorts the conditions of a conjunction. Conditions with the same operator are sorted by
 * path.
 */
const order = [
  '$and $or $elemMatch $size $eq $lte $lt $gt $gte $regex $mod $exists $in $bitsAllSet $bitsAllClear $bitsAnySet',
  '$bitsAnyClear $not $nor $type $geoIntersects $geoWithin $where $expr $alwaysFalse $alwaysTrue',
].flatMap((line) => line.split(' '));

/**
 * Returns a filter in the form in which the server shows it: each condition has an operator, negations are explicit,
 * and conjunctions are flat and sorted.
 */
export function parsedQuery(filter: RawDocument): RawDocument {
  return conjunction(conditionsOf(filter));
}

export function conjunction(conditions: readonly ShownCondition[]): RawDocument {
  const sorted = conditions.toSorted(compareConditions).map(documentWith);
  const [first] = sorted;
  return writeDocument((writer) => {
    if (sorted.length > 1) writer.field('$and', listOf(sorted));
    else for (const element of first ?? []) writer.element(element);
  });
}

export function conditionsOf(filter: RawDocument): ShownCondition[] {
  return [...filter].flatMap((element) =>
    element.name.startsWith('$') ? logical(element) : conditionsAt(element.name, element),
  );
}

function logical(element: Element): ShownCondition[] {
  const { name } = element;
  if (name === '$comment') return [];
  if (name === '$and') return entriesOf(element).flatMap((entry) => conditionsOf(documentOf(entry)));
  if (name !== '$or' && name !== '$nor') return [{ path: '', operator: name, operand: element }];
  const alternatives = entriesOf(element).map((entry) => conditionsOf(documentOf(entry)));
  const [only, ...others] = alternatives;
  if (name === '$or' && only !== undefined && others.length === 0) return only;
  return [{ path: '', operator: name, operand: listOf(alternatives.map(conjunction)) }];
}

/** Returns the conditions on the values at a path. */
function conditionsAt(path: string, value: Value): ShownCondition[] {
  if (value.type === bsonTypes.regex) return [pattern(path, value)];
  const operators = value.type === bsonTypes.object ? documentOf(value) : undefined;
  const first = operators?.first()?.name;
  if (operators === undefined || first?.startsWith('$') !== true || referenceNames.has(first)) {
    return [{ path, operator: '$eq', operand: value }];
  }
  return [...operators].flatMap((operator) => operatorAt(path, operator, operators));
}

function operatorAt(path: string, operand: Element, operators: RawDocument): ShownCondition[] {
  const { name: operator } = operand;
  switch (operator) {
    case '$ne':
      return negated({ path, operator: '$eq', operand });
    case '$in':
      return [among(path, entriesOf(operand))];
    case '$nin':
      return negated(among(path, entriesOf(operand)));
    case '$exists': {
      const exists = { path, operator, operand: bool(true) };
      return isTrue(operand) ? [exists] : negated(exists);
    }
    case '$not':
      return negated(...conditionsAt(path, operand));
    case '$regex':
      return [pattern(path, operand, operators.get('$options'))];
    case '$options':
      return [];
    case '$all':
      return entriesOf(operand).flatMap((entry) => conditionsAt(path, entry));
    case '$elemMatch':
      return [{ path, operator, operand: entryConditions(documentOf(operand)).toValue() }];
    default:
      return [{ path, operator, operand }];
  }
}

/** Returns the conditions of `$elemMatch` in parsed form. Conditions on the array element itself stay unchanged. */
function entryConditions(conditions: RawDocument): RawDocument {
  const first = conditions.first()?.name ?? '';
  const ofFields = !first.startsWith('$') || first === '$and' || first === '$or' || first === '$nor';
  return ofFields ? parsedQuery(conditions) : conditions;
}

/** Negates a conjunction of conditions at one path. */
function negated(...conditions: ShownCondition[]): ShownCondition[] {
  const [only, ...others] = conditions;
  if (only === undefined) return [];
  if (others.length > 0) {
    return [{ path: '', operator: '$nor', operand: listOf([conjunction(conditions)]) }];
  }
  const { path, operator, operand } = only;
  if (operator === '$not') return conditionsAt(path, operand);
  if (path === '') return [{ path, operator: '$nor', operand: listOf([documentWith(only)]) }];
  return [{ path, operator: '$not', operand: conditionWith(only).toValue() }];
}

/** Returns the condition that a value is one of several values. Like the server, sorts them and omits duplicates. */
function among(path: string, values: readonly Value[]): ShownCondition {
  const [first, ...others] = values;
  if (first === undefined) return { path: '', operator: '$alwaysFalse', operand: int32(1) };
  if (others.length === 0) {
    return first.type === bsonTypes.regex ? pattern(path, first) : { path, operator: '$eq', operand: first };
  }
  const sorted = values
    .toSorted(compareValues)
    .filter((value, i, all) => i === 0 || compareValues(value, all[i - 1] as Value) !== 0);
  return { path, operator: '$in', operand: arrayOf(sorted) };
}

function pattern(path: string, value: Value, given?: Value): ShownCondition {
  const { pattern: source = '', flags = '' } = regexParts(value) ?? {};
  const options = flags === '' ? given : string(flags);
  return { path, operator: '$regex', operand: string(source), ...(options && { options }) };
}

function documentWith(condition: ShownCondition): RawDocument {
  const tested = conditionWith(condition);
  return condition.path === ''
    ? tested
    : writeDocument((writer) => writer.field(condition.path, tested.toValue()));
}

function conditionWith({ operator, operand, options }: ShownCondition): RawDocument {
  return writeDocument((writer) => {
    writer.field(operator, operand);
    if (options !== undefined) writer.field('$options', options);
  });
}

function listOf(documents: readonly RawDocument[]): Value {
  return arrayOf(documents.map((document) => document.toValue()));
}

function compareConditions(a: ShownCondition, b: ShownCondition): number {
  const byOperator = rankOf(a) - rankOf(b);
  if (byOperator !== 0 || a.path === b.path) return byOperator;
  return a.path < b.path ? -1 : 1;
}

/** Returns the position of a condition in `order`. Operators that are not in the list come last. */
function rankOf({ operator }: ShownCondition): number {
  const rank = order.indexOf(operator);
  return rank < 0 ? order.length : rank;
}
