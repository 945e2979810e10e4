import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { describe } from '../../bson/describe.ts';
import { exactInteger } from '../../bson/numbers/integers.ts';
import { documentOf, RawDocument } from '../../bson/raw.ts';
import { isAbsent, isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { byType, converted, listOf, notEmpty, notNull, ofTypes, required } from './field-builders.ts';
import { type FieldType, truncated } from './fields.ts';

/** This file contains field types whose rules and error codes differ from those of the kinds in `fields.ts`. */

/** Like the kind `hint`, except that null is an error. */
export const strictHint = notNull('hint');

/**
 * A part of a query shape. `read` returns it as a function. Null counts as an empty part. An array counts as a document
 * whose field names are the indexes. For other types, the function throws. Commands call the function only if the
 * collection exists. If it does not exist, they accept any type.
 */
export const shapePart: FieldType<() => RawDocument> = {
  readsNull: true,
  read: (value, name) => () => (isAbsent(value) ? RawDocument.empty : shapeOf(value, name)),
};

/** Like `shapePart`, except that null counts as absent. The deprecated type `undefined` is an empty part. */
export const queryOrNull: FieldType<(() => RawDocument) | undefined> = {
  readsNull: true,
  read: (value, name) => (value.type === bsonTypes.null ? undefined : shapePart.read(value, name, '')),
};

/** Like `shapePart`, except that null is an error, and that `read` itself throws for other types. */
export const strictShapePart: FieldType<RawDocument> = { readsNull: true, read: shapeOf };

/** Like `strictShapePart`, for a required field. */
export const requiredShapePart = required(
  strictShapePart,
  () => new ServerError('BadValue', 'required field query missing'),
);

/** The collation of a query shape. It must not be empty. */
export const shapeCollation = converted(
  notNull(byType({ object: documentOf }, (_value, name) => notObject(name))),
  (collation, name) => {
    if (collation.isEmpty) throw notObject(name);
    return collation.compact();
  },
);

function shapeOf(value: Value, name: string): RawDocument {
  if (value.type !== bsonTypes.object && value.type !== bsonTypes.array) throw notObject(name);
  return documentOf(value.detached());
}

function notObject(name: string): ServerError {
  return new ServerError('BadValue', `optional field ${name} must be an object`);
}

const badValue = (message: string) => () => new ServerError('BadValue', message);

const indexChoice = ofTypes(
  ['object', 'string'],
  badValue('each item in indexes must be an object or a string'),
);

/** The indexes of an index filter. There is at least one, and each is a name or a key pattern. Null is an error. */
export const indexChoices = required(
  notNull(
    notEmpty(
      listOf(
        converted(indexChoice, (index) => index.detached()),
        { wrong: badValue('required field indexes must be an array') },
      ),
      badValue('required field indexes must contain at least one index'),
    ),
  ),
  badValue('required field indexes missing'),
);

/** The id of an operation: a number of any type whose value is an int32. Null is an error. */
export const operationId = required(
  notNull(
    byType({ number: readOperationId }, ({ type }) => {
      const text = `"op" had the wrong type. Expected numeric, found ${typeName(type)}`;
      return new ServerError('TypeMismatch', text);
    }),
  ),
  () => new ServerError('NoSuchKey', 'Missing expected field "op"'),
);

function readOperationId(value: Value): number {
  const id = exactInteger(value);
  if (id === undefined) {
    throw new ServerError(
      'BadValue',
      `Expected field "op" to have a value exactly representable as a 64-bit integer, but found op: ${describe(value)}`,
    );
  }
  if (id === BigInt.asIntN(32, id)) return Number(id);
  throw new ServerError(26823, `invalid op : ${id}. Op ID cannot be represented with 32 bits`);
}

/**
 * A size, which must be a positive number. Any other value becomes 0, and the command rejects it after
 * finding the collection.
 */
export const positiveSize: FieldType<number> = {
  read: (value) => (isNumber(value) ? Math.max(truncated(value), 0) : 0),
};

/** Rejects every value of a field. */
export function refused(code: number | 'BadValue', message: string): FieldType<never> {
  return {
    readsNull: true,
    read() {
      throw new ServerError(code, message);
    },
  };
}

/** Rejects every value of a field except null, which counts as absent. */
export function refusedUnlessNull(code: number, message: string): FieldType<never> {
  return { ...refused(code, message), readsNull: false };
}
