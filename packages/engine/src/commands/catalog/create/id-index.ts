import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { readCollation } from '../../../bson/collation/index.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import { isNumber, textOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { isIdKey } from '../../../storage/index-specs/index-spec.ts';

const known = new Set(['key', 'name', 'v', 'ns', 'collation']);

/** Throws unless the specification is that of the `_id` index. */
export function checkIdIndex(spec: RawDocument, collation: RawDocument | undefined): void {
  for (const { name } of spec) {
    if (!known.has(name)) {
      throw new ServerError(
        'InvalidIndexSpecificationOption',
        `The field '${name}' is not valid for an _id index specification.`,
      );
    }
  }
  const key = requireField(spec, 'key', bsonTypes.object);
  const name = textOf(requireField(spec, 'name', bsonTypes.string));
  checkVersion(spec.get('v'));
  if (!isIdKey(documentOf(key))) {
    throw new ServerError('BadValue', "The field 'key' for an _id index must be {_id: 1}");
  }
  if (name === '') throw new ServerError('CannotCreateIndex', 'Index name cannot be empty');
  const own = spec.get('collation');
  if (own !== undefined) checkCollation(own, collation);
}

function requireField(spec: RawDocument, field: string, type: number): Value {
  const value = spec.get(field);
  if (value === undefined) {
    throw new ServerError(
      'FailedToParse',
      `The '${field}' field is a required property of an index specification`,
    );
  }
  if (value.type === type) return value;
  throw wrongType(field, typeName(type), value);
}

function checkVersion(value: Value | undefined): void {
  if (value === undefined) return;
  if (!isNumber(value)) throw wrongType('v', 'number', value);
  const version = toNumber(value);
  if (!Number.isInteger(version)) {
    throw new ServerError(
      'BadValue',
      `Index version must be representable as a 32-bit integer, but got ${version}`,
    );
  }
  if (version === 1 || version === 2) return;
  throw new ServerError(
    'CannotCreateIndex',
    `Invalid index specification; cannot create an index with v=${version}`,
  );
}

function checkCollation(value: Value, ofCollection: RawDocument | undefined): void {
  if (value.type !== bsonTypes.object) throw wrongType('collation', 'object', value);
  const own = readCollation(documentOf(value));
  const wanted = ofCollection && readCollation(ofCollection);
  if (JSON.stringify(own) === JSON.stringify(wanted)) return;
  throw new ServerError('BadValue', 'The _id index must have the same collation as the collection.');
}

function wrongType(field: string, wanted: string, value: Value): ServerError {
  return new ServerError(
    'TypeMismatch',
    `The field '${field}' must be of type ${wanted}, but got ${typeName(value.type)}`,
  );
}
