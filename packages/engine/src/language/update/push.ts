import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { byBytes, type Comparison } from '../../bson/collation/comparison.ts';
import { exactInteger } from '../../bson/numbers/integers.ts';
import { documentOf, encodeName, findField } from '../../bson/raw.ts';
import { type Element, isNumber, nullValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { checking, listOf } from '../expression/entries.ts';
import { listed } from '../parts.ts';
import { describeId, lastPart } from './describe.ts';
import { arrayWith, deepest } from './entries.ts';
import type { ModifierTable } from './modifier.ts';

export const pushModifiers: ModifierTable = {
  $push: (operand, path, { comparison = byBytes, statement }) => {
    const push = parsePush(operand, checking(statement, comparison.compare));
    return {
      depth: 1 + deepest(push.values, statement),
      creates: () => true,
      ...(push.position === undefined && push.sort === undefined ? { appends: push.values.length } : {}),
      apply(current, { document }) {
        if (current !== undefined && current.type !== bsonTypes.array) {
          throw new ServerError(
            'BadValue',
            `The field '${lastPart(path)}' must be an array but is of type ${typeName(current.type)} in ` +
              `document ${describeId(document)}`,
          );
        }
        const before = current === undefined ? [] : listOf(current, statement, 'an update');
        const array = arrayWith(pushed(before, push), statement);
        return current?.identical(array) === true ? 'keep' : array;
      },
    };
  },
};

interface Push {
  readonly values: readonly Value[];
  readonly position?: number;
  readonly slice?: number;
  readonly sort?: (a: Value, b: Value) => number;
}

function pushed(entries: readonly Value[], { values, position, slice, sort }: Push): Value[] {
  // `slice` clamps an index beyond either end of the array.
  const at = position ?? entries.length;
  let after = entries.slice(0, at).concat(values, entries.slice(at));
  if (sort !== undefined) after.sort(sort);
  if (slice !== undefined) after = slice >= 0 ? after.slice(0, slice) : after.slice(slice);
  return after;
}

/** Parses a value or `{$each: […]}` with its options. */
function parsePush(operand: Value, compare: Comparison['compare']): Push {
  const spec = operand.type === bsonTypes.object ? documentOf(operand) : undefined;
  const each = spec?.get('$each');
  if (spec === undefined || each === undefined) return { values: [operand] };
  if (each.type !== bsonTypes.array) {
    throw new ServerError(
      'BadValue',
      `The argument to $each in $push must be an array but it was of type: ${typeName(each.type)}`,
    );
  }
  const clauses: { -readonly [K in keyof Push]: Push[K] } = {
    values: listed(documentOf(each), 'an update'),
  };
  for (const element of spec) applyClause(clauses, element, compare);
  return clauses;
}

function applyClause(
  push: { -readonly [K in keyof Push]: Push[K] },
  element: Element,
  compare: Comparison['compare'],
): void {
  switch (element.name) {
    case '$each':
      return;
    case '$position':
      push.position = wholeClause(element);
      return;
    case '$slice':
      push.slice = wholeClause(element);
      return;
    case '$sort':
      push.sort = orderOf(element, compare);
      return;
    default:
      throw new ServerError('BadValue', `Unrecognized clause in $push: ${element.name}`);
  }
}

function wholeClause(element: Element): number {
  const whole = isNumber(element) ? exactInteger(element) : undefined;
  if (whole !== undefined) return Number(whole);
  throw new ServerError(
    'BadValue',
    `The value for ${element.name} must be an integer value but was given type: ${typeName(element.type)}`,
  );
}

/** Compiles `$sort`: by the entries themselves, or by fields of documents. */
function orderOf(element: Element, compare: Comparison['compare']): Comparison['compare'] {
  if (isNumber(element)) {
    const direction = directionOf(element, 'The $sort element value must be either 1 or -1');
    return (a, b) => compare(a, b) * direction;
  }
  if (element.type !== bsonTypes.object) {
    throw new ServerError(
      'BadValue',
      'The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields',
    );
  }
  const spec = documentOf(element);
  if (spec.isEmpty) {
    throw new ServerError('BadValue', 'The $sort pattern is empty when it should be a set of fields.');
  }
  const parts = [...spec].map((part) => ({
    path: pathOfSort(part.name),
    direction: directionOf(part, 'The $sort element value must be either 1 or -1'),
  }));
  return (a, b) => {
    for (const { path, direction } of parts) {
      const order = compare(valueAt(a, path), valueAt(b, path));
      if (order !== 0) return order * direction;
    }
    return 0;
  };
}

function directionOf(value: Value, message: string): number {
  const whole = isNumber(value) ? exactInteger(value) : undefined;
  if (whole === 1n || whole === -1n) return Number(whole);
  throw new ServerError('BadValue', message);
}

function pathOfSort(name: string): readonly string[] {
  const parts = name.split('.');
  if (name === '') throw new ServerError('BadValue', 'The $sort field cannot be empty');
  if (parts.includes('')) {
    throw new ServerError('BadValue', `The $sort field is a dotted field but has an empty part: ${name}`);
  }
  return parts;
}

/** Returns the value at a path, or null if the path does not exist. The path does not traverse arrays. */
function valueAt(entry: Value, path: readonly string[]): Value {
  let value: Value | undefined = entry;
  for (const part of path) {
    if (value?.type !== bsonTypes.object) return nullValue;
    value = findField(value.bytes, value.start, encodeName(part));
  }
  return value ?? nullValue;
}
