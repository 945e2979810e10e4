import { typeName } from '../../../bson/bson-types.ts';
import { compareValues } from '../../../bson/compare.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import type { RawDocument } from '../../../bson/raw.ts';
import type { Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { type Fields, fields } from '../../shared/fields.ts';

const queryTable = {
  queryType: 'string!',
  contention: 'number',
  sparsity: 'number',
  trimFactor: 'number',
  precision: 'int',
  min: 'any',
  max: 'any',
  strMaxLength: 'number',
  strMinQueryLength: 'number',
  strMaxQueryLength: 'number',
  caseSensitive: 'bool',
  diacriticSensitive: 'bool',
} as const;

const queryReader = fields('create.encryptedFields.fields.queries', queryTable);

type Query = Fields<typeof queryTable>;

const textTypes = new Set(['suffixPreview', 'prefixPreview', 'substringPreview']);
const queryTypes = new Set(['equality', 'range', 'rangePreview', ...textTypes]);
const MAX_QUERY_TYPES = 2;

/** Throws for query types that the type of the field does not support. */
export function checkQueries(documents: readonly RawDocument[], bsonType: string | undefined): void {
  const queries = documents.map((document) => queryReader.read(document));
  for (const query of queries) checkQuery(query, bsonType);
  if (queries.length === 0)
    throw new ServerError(9783412, 'At least one query type should be defined for an encrypted field');
  if (queries.length > MAX_QUERY_TYPES) {
    throw new ServerError(9783413, `A field cannot have more than ${MAX_QUERY_TYPES} query types`);
  }
  const kinds = new Set(queries.map(({ queryType }) => queryType));
  if (queries.length === 2 && !(kinds.has('suffixPreview') && kinds.has('prefixPreview'))) {
    throw new ServerError(9783414, 'A field can have several query types only if they are suffix and prefix');
  }
}

function checkQuery(query: Query, bsonType: string | undefined): void {
  if (!queryTypes.has(query.queryType)) {
    throw new ServerError(
      'BadValue',
      `Enumeration value '${query.queryType}' for field 'queryType' is not a valid value.`,
    );
  }
  checkNumber('contention', query.contention, 0);
  checkNumber('sparsity', query.sparsity, 1, 8);
  checkNumber('trimFactor', query.trimFactor, 0);
  checkNumber('strMaxLength', query.strMaxLength, 1);
  checkNumber('strMinQueryLength', query.strMinQueryLength, 1);
  checkNumber('strMaxQueryLength', query.strMaxQueryLength, 1);
  if (query.queryType.startsWith('range')) checkRange(query, bsonType);
  else if (textTypes.has(query.queryType)) checkText(query, bsonType);
}

function checkNumber(
  name: string,
  value: Value | undefined,
  least: number,
  most = Number.POSITIVE_INFINITY,
): void {
  if (value === undefined) return;
  const number = toNumber(value);
  if (!Number.isInteger(number)) {
    throw new ServerError('FailedToParse', `Expected an integer, but found: ${number} for field '${name}'`);
  }
  if (number >= least && number <= most) return;
  const bound = number < least ? `>= ${least}` : `<= ${most}`;
  throw new ServerError('BadValue', `BSON field '${name}' value must be ${bound}, actual value '${number}'`);
}

/** The number of bits of each type that supports range queries. */
const rangeBits: Readonly<Record<string, number>> = { int: 32, long: 64, date: 64, double: 64, decimal: 128 };

function checkRange({ min, max, trimFactor }: Query, bsonType: string | undefined): void {
  const bits = rangeBits[bsonType ?? ''];
  if (bsonType === undefined || bits === undefined) {
    throw new ServerError(6775201, `Type '${bsonType ?? ''}' is not a supported range indexed type`);
  }
  for (const bound of [min, max]) {
    if (bound !== undefined && typeName(bound.type) !== bsonType) {
      throw new ServerError(
        7018200,
        `Range field type mismatch: expected ${bsonType}, got ${typeName(bound.type)}`,
      );
    }
  }
  if (min !== undefined && max !== undefined && compareValues(min, max) >= 0) {
    throw new ServerError(6720005, 'Min must be less than max.');
  }
  if (trimFactor !== undefined && toNumber(trimFactor) >= bits) {
    throw new ServerError(
      8574000,
      `The field 'trimFactor' must be >= 0 and less than the total number of bits, ${bits}`,
    );
  }
}

function checkText(query: Query, bsonType: string | undefined): void {
  if (bsonType !== undefined && bsonType !== 'string') {
    throw new ServerError(9783400, `Type '${bsonType}' is not a supported text search indexed type`);
  }
  const required = [
    ['strMinQueryLength', 9783402],
    ['strMaxQueryLength', 9783403],
    ['caseSensitive', 9783404],
    ['diacriticSensitive', 9783405],
  ] as const;
  for (const [name, code] of required) {
    if (query[name] === undefined)
      throw new ServerError(code, `${name} parameter is required for text search indexed fields`);
  }
  const { strMinQueryLength: least, strMaxQueryLength: most } = query;
  if (least !== undefined && most !== undefined && toNumber(least) > toNumber(most)) {
    throw new ServerError(9783406, 'strMinQueryLength cannot be greater than strMaxQueryLength');
  }
}
