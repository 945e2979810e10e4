import { bsonTypes, typeName } from '../language/bson-types.ts';
import { toNumber } from '../language/numbers/convert.ts';
import { documentOf, type RawDocument } from '../language/raw.ts';
import { isNumber, textOf } from '../language/value.ts';
import { ServerError } from '../server-error.ts';

/** One entry of `createIndexes`. */
export interface IndexSpec {
  readonly key: RawDocument;
  readonly name: string;
}

/** Fields that an index may have, whatever its kind. */
const known = new Set(
  `key name ns v unique sparse background hidden expireAfterSeconds partialFilterExpression collation weights
  default_language language_override textIndexVersion 2dsphereIndexVersion bits min max wildcardProjection
  storageEngine prepareUnique dropDups clustered bucketSize coarsestIndexedLevel finestIndexedLevel
  columnstoreProjection`.split(/\s+/),
);

/** Kinds of keys besides the two directions. */
const plugins = new Set(['text', '2d', '2dsphere', 'hashed']);

/** Throws for a specification that no server would build. */
export function readIndexSpec(spec: RawDocument, ignoreUnknown: boolean): IndexSpec {
  if (!ignoreUnknown) {
    for (const { name } of spec) if (!known.has(name)) throw unknownOption(name);
  }
  const key = spec.get('key');
  if (key === undefined) throw missing('key');
  if (key.type !== bsonTypes.object) throw wrongType('key', 'object', key.type);
  const name = spec.get('name');
  if (name === undefined) throw missing('name');
  if (name.type !== bsonTypes.string) throw wrongType('name', 'string', name.type);
  checkKey(documentOf(key));
  return { key: documentOf(key), name: textOf(name) };
}

/** True for `{_id: 1}`, whatever the type of the number. */
export function isIdKey(key: RawDocument): boolean {
  const first = key.first();
  if (first === undefined || first.name !== '_id' || key.after(first) !== undefined) return false;
  return isNumber(first) && toNumber(first) === 1;
}

function checkKey(key: RawDocument): void {
  if (key.isEmpty) throw cannotCreate('Index keys cannot be empty.');
  for (const part of key) {
    if (part.name === '') throw cannotCreate('Index keys cannot be an empty field.');
    if (isNumber(part)) {
      const direction = toNumber(part);
      if (Number.isNaN(direction) || direction === 0) {
        throw cannotCreate(`Values in the index key pattern cannot be ${direction}.`);
      }
    } else if (part.type !== bsonTypes.string) {
      throw cannotCreate(
        'Values in v:2 index key pattern cannot be of type ' +
          `${typeName(part.type)}. Only numbers > 0, numbers < 0, and strings are allowed.`,
      );
    } else if (!plugins.has(textOf(part))) {
      throw cannotCreate(`Unknown index plugin '${textOf(part)}'`);
    }
  }
}

function cannotCreate(message: string): ServerError {
  return new ServerError('CannotCreateIndex', message);
}

function missing(field: string): ServerError {
  return new ServerError(
    'FailedToParse',
    `The '${field}' field is a required property of an index specification`,
  );
}

function wrongType(field: string, wanted: string, type: number): ServerError {
  return new ServerError(
    'TypeMismatch',
    `The field '${field}' must be of type ${wanted}, but got ${typeName(type)}`,
  );
}

function unknownOption(name: string): ServerError {
  return new ServerError(
    'InvalidIndexSpecificationOption',
    `The field '${name}' is not valid for an index specification.`,
  );
}
