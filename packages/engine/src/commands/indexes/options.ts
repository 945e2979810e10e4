import { bsonTypes } from '../../bson/bson-types.ts';
import { requiredCollation } from '../../bson/collation/index.ts';
import { describe } from '../../bson/describe.ts';
import { toNumber, truthOfNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { boolOf, int32, trueValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { cannotCreate, notBoolean, wrongType } from '../../storage/index-specs/errors.ts';
import {
  completeIndexSpec,
  type IndexOptions,
  type IndexSpec,
} from '../../storage/index-specs/index-spec.ts';
import { checkKey } from '../../storage/index-specs/key.ts';
import { checkPartialFilter } from '../../storage/index-specs/partial.ts';
import { byType, converted, notNull, ofTypes, required, text } from '../shared/field-builders.ts';
import { type FieldType, readerOf } from '../shared/fields.ts';

/** This file declares the options of an index in `createIndexes`. Unlike in commands, null is an error. */

const MAX_SECONDS = 2_147_483_647;

const notOfType = (wanted: string) => (value: Value, name: string) => wrongType(name, wanted, value);

const key = converted(notNull(byType({ object: documentOf }, notOfType('object'))), (pattern) => {
  checkKey(pattern);
  return pattern;
});

const indexName = converted(notNull(text(notOfType('string'))), (name) => {
  if (name === '') throw cannotCreate('index name cannot be empty');
  if (name === '*') throw new ServerError('BadValue', "The index name '*' is not valid.");
  if (name.includes('\0')) throw cannotCreate('index name cannot contain NUL bytes');
  return name;
});

const version = notNull(byType({ number: readVersion }, notOfType('number')));

function readVersion(value: Value): number {
  const number = toNumber(value);
  if (!Number.isInteger(number)) {
    throw new ServerError(
      'BadValue',
      `Index version must be representable as a 32-bit integer, but got ${describe(value)}`,
    );
  }
  if (number === 1 || number === 2) return number;
  throw cannotCreate(`Invalid index specification; cannot create an index with v=${number}`);
}

/** A boolean or a number. The value is undefined if the flag is not set. */
const flag = notNull(
  byType(
    { bool: (value) => isSet(boolOf(value)), number: (value) => isSet(truthOfNumber(value)) },
    (value, name) => notBoolean(name, value),
  ),
);

/** A boolean. Numbers are errors. */
const strictFlag = notNull(
  byType({ bool: (value) => isSet(boolOf(value)) }, (value, name) => notBoolean(name, value)),
);

/** A flag without effect. `listIndexes` returns a boolean unchanged. */
const background: FieldType<Value | undefined> = {
  ...flag,
  read: (value, name, within) => (value.type === bsonTypes.bool ? value : flag.read(value, name, within)),
};

function isSet(set: boolean): Value | undefined {
  return set ? trueValue : undefined;
}

const expireAfterSeconds = notNull(
  byType({ number: readSeconds }, () =>
    cannotCreate("TTL index 'expireAfterSeconds' option must be numeric"),
  ),
);

function readSeconds(value: Value): Value {
  const seconds = toNumber(value);
  if (Number.isNaN(seconds)) throw cannotCreate("TTL index 'expireAfterSeconds' option must not be NaN");
  if (seconds < 0) throw cannotCreate("TTL index 'expireAfterSeconds' option cannot be less than 0");
  if (seconds > MAX_SECONDS) {
    throw cannotCreate(
      "TTL index 'expireAfterSeconds' option must be within an acceptable range, try a lower number",
    );
  }
  return int32(Math.trunc(seconds));
}

const object = notNull(ofTypes(['object'], notOfType('object')));

const partialFilterExpression = converted(object, (filter) => {
  checkPartialFilter(documentOf(filter));
  return filter;
});

const collation = converted('value', (value) => {
  requiredCollation(value);
  return value;
});

/** The options of at least one kind of index. Those of type `value` are checked for the kinds that have them. */
const options = {
  key: required(key, missing),
  name: required(indexName, missing),
  ns: 'value',
  v: version,
  unique: flag,
  sparse: flag,
  background,
  hidden: strictFlag,
  expireAfterSeconds,
  partialFilterExpression,
  collation,
  storageEngine: object,
  prepareUnique: flag,
  dropDups: flag,
  clustered: flag,
  weights: 'value',
  default_language: 'value',
  language_override: 'value',
  textIndexVersion: 'value',
  '2dsphereIndexVersion': 'value',
  bits: 'value',
  min: 'value',
  max: 'value',
  wildcardProjection: 'value',
  bucketSize: 'value',
  coarsestIndexedLevel: 'value',
  finestIndexedLevel: 'value',
  columnstoreProjection: 'value',
  originalSpec: 'value',
} as const;

const readOptions = readerOf(options, { ignored: () => true });

/** Reads the specification of an index. `inherited` is the default collation of the collection. */
export function readIndexSpec(
  given: RawDocument,
  ignoreUnknown: boolean,
  inherited: RawDocument | undefined,
): IndexSpec {
  // Like the server, look for unknown options before the values of others are read.
  if (!ignoreUnknown)
    for (const { name } of given) if (!Object.hasOwn(options, name)) throw unknownOption(name);
  const read = readOptions(given, 'createIndexes.indexes');
  const names = new Set<string>();
  const values = new Map<string, Value>();
  for (const element of given) {
    const { name } = element;
    if (!Object.hasOwn(options, name)) continue;
    names.add(name);
    if (read[name as keyof typeof options] !== undefined) values.set(name, element);
  }
  for (const name of normalized) {
    const value = read[name];
    if (value !== undefined) values.set(name, value);
  }
  const found: IndexOptions = { key: read.key, name: read.name, version: read.v ?? 2, names, values };
  return completeIndexSpec(given, found, inherited);
}

/** The options whose stored value can differ from the given one. */
const normalized = [
  'unique',
  'sparse',
  'background',
  'hidden',
  'expireAfterSeconds',
  'prepareUnique',
  'dropDups',
  'clustered',
] as const;

function unknownOption(name: string): ServerError {
  return new ServerError(
    'InvalidIndexSpecificationOption',
    `The field '${name}' is not valid for an index specification.`,
  );
}

function missing(_within: string, name: string): ServerError {
  return new ServerError(
    'FailedToParse',
    `The '${name}' field is a required property of an index specification`,
  );
}
