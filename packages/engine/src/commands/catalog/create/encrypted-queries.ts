import { typeName } from '../../../bson/bson-types.ts';
import { compareValues } from '../../../bson/compare.ts';
import { ServerError } from '../../../errors/server-error.ts';
import {
  byType,
  converted,
  inRange,
  listOf,
  nested,
  notNull,
  required,
  words,
} from '../../shared/field-builders.ts';
import type { Fields, FieldType } from '../../shared/fields.ts';

const textQueries = ['suffixPreview', 'prefixPreview', 'substringPreview'] as const;
const textTypes: ReadonlySet<string> = new Set(textQueries);
const queryTypes = ['equality', 'range', 'rangePreview', ...textQueries] as const;
const MAX_QUERY_TYPES = 2;

/** An integer of at least `least`. */
function integer(least: number, most?: number): FieldType<number> {
  const whole = converted('double', (number, name) => {
    if (Number.isInteger(number)) return number;
    throw new ServerError('FailedToParse', `Expected an integer, but found: ${number} for field '${name}'`);
  });
  return inRange(whole, least, most);
}

const queryTable = {
  queryType: required(words(queryTypes)),
  contention: integer(0),
  sparsity: integer(1, 8),
  trimFactor: integer(0),
  precision: 'int',
  min: 'any',
  max: 'any',
  strMaxLength: integer(1),
  strMinQueryLength: integer(1),
  strMaxQueryLength: integer(1),
  caseSensitive: 'bool',
  diacriticSensitive: 'bool',
} as const;

const query = nested(queryTable);

/** The query types of an encrypted field: a document, or a list of documents. Null is an error. */
export const encryptedQueries = notNull(
  byType({
    array: listOf(query).read,
    object: (value, name, within) => [query.read(value, name, within)],
  }),
);

type Query = Fields<typeof queryTable>;

/** Throws for query types that the type of the field does not support. */
export function checkQueries(queries: readonly Query[], bsonType: string | undefined): void {
  for (const one of queries) {
    if (one.queryType.startsWith('range')) checkRange(one, bsonType);
    else if (textTypes.has(one.queryType)) checkText(one, bsonType);
  }
  if (queries.length === 0)
    throw new ServerError(9783412, 'At least one query type should be defined for an encrypted field');
  if (queries.length > MAX_QUERY_TYPES) {
    throw new ServerError(9783413, `A field cannot have more than ${MAX_QUERY_TYPES} query types`);
  }
  const kinds = new Set<string>(queries.map(({ queryType }) => queryType));
  if (queries.length === 2 && !(kinds.has('suffixPreview') && kinds.has('prefixPreview'))) {
    throw new ServerError(9783414, 'A field can have several query types only if they are suffix and prefix');
  }
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
  if (trimFactor !== undefined && trimFactor >= bits) {
    throw new ServerError(
      8574000,
      `The field 'trimFactor' must be >= 0 and less than the total number of bits, ${bits}`,
    );
  }
}

function checkText(given: Query, bsonType: string | undefined): void {
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
    if (given[name] === undefined)
      throw new ServerError(code, `${name} parameter is required for text search indexed fields`);
  }
  const { strMinQueryLength: least, strMaxQueryLength: most } = given;
  if (least !== undefined && most !== undefined && least > most) {
    throw new ServerError(9783406, 'strMinQueryLength cannot be greater than strMaxQueryLength');
  }
}
