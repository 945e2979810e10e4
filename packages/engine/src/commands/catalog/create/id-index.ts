import { typeName } from '../../../bson/bson-types.ts';
import { readCollation } from '../../../bson/collation/index.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import { textOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { isIdKey } from '../../../storage/index-specs/index-spec.ts';
import { byType, converted, nested, notNull, required } from '../../shared/field-builders.ts';
import type { FieldType, Reader } from '../../shared/fields.ts';

/** The specification of the `_id` index. Its fields have error codes of their own, and null is an error. */
export const idIndex = converted(
  nested(
    {
      key: required(field('object', documentOf), missing),
      name: required(field('string', textOf), missing),
      v: field('number', readVersion),
      ns: 'any',
      collation: field('object', documentOf),
    },
    { unknown },
  ),
  (spec) => {
    if (!isIdKey(spec.key)) {
      throw new ServerError('BadValue', "The field 'key' for an _id index must be {_id: 1}");
    }
    if (spec.name === '') throw new ServerError('CannotCreateIndex', 'Index name cannot be empty');
    return spec;
  },
);

function field<T>(type: 'object' | 'string' | 'number', read: Reader<T>): FieldType<T> {
  return notNull(
    byType({ [type]: read }, (value, name) => {
      const actual = typeName(value.type);
      return new ServerError(
        'TypeMismatch',
        `The field '${name}' must be of type ${type}, but got ${actual}`,
      );
    }),
  ) as FieldType<T>;
}

function missing(_within: string, name: string): ServerError {
  return new ServerError(
    'FailedToParse',
    `The '${name}' field is a required property of an index specification`,
  );
}

function unknown(_within: string, name: string): ServerError {
  return new ServerError(
    'InvalidIndexSpecificationOption',
    `The field '${name}' is not valid for an _id index specification.`,
  );
}

function readVersion(value: Value): number {
  const version = toNumber(value);
  if (!Number.isInteger(version)) {
    throw new ServerError(
      'BadValue',
      `Index version must be representable as a 32-bit integer, but got ${version}`,
    );
  }
  if (version === 1 || version === 2) return version;
  throw new ServerError(
    'CannotCreateIndex',
    `Invalid index specification; cannot create an index with v=${version}`,
  );
}

/** Throws if the `_id` index has a collation of its own that is not the collation of the collection. */
export function checkIdCollation(
  given: RawDocument | undefined,
  ofCollection: RawDocument | undefined,
): void {
  if (given === undefined) return;
  const wanted = ofCollection && readCollation(ofCollection);
  if (JSON.stringify(readCollation(given)) === JSON.stringify(wanted)) return;
  throw new ServerError('BadValue', 'The _id index must have the same collation as the collection.');
}
