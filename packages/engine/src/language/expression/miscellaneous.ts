import { bsonTypes } from '../../bson/bson-types.ts';
import { readInt32 } from '../../bson/bytes.ts';
import { hashOf } from '../../bson/hash.ts';
import { documentOf, entriesOf } from '../../bson/raw.ts';
import { double, type Element, int32, int64, nullValue, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { metadataValue } from '../metadata.ts';
import type { Compiler, Expression, ExpressionTable } from './expression.ts';
import { isNullish, typeOf, unary } from './operator.ts';

export const miscellaneousOperators: ExpressionTable = {
  $binarySize: unary((value, name) => {
    if (isNullish(value)) return nullValue;
    if (value.type === bsonTypes.string) return int32(readInt32(value.bytes, value.start) - 1);
    if (value.type === bsonTypes.binData) return int32(readInt32(value.bytes, value.start));
    throw new ServerError(51276, `${name} requires a string or BinData argument, found: ${typeOf(value)}`);
  }),
  $bsonSize: unary((value, name) => {
    if (isNullish(value)) return nullValue;
    if (value.type === bsonTypes.object) return int32(value.end - value.start);
    throw new ServerError(31393, `${name} requires a document input, found: ${typeOf(value)}`);
  }),
  $tsSecond: unary((value, name) => timestampPart(value, name, 4, 5687301)),
  $tsIncrement: unary((value, name) => timestampPart(value, name, 0, 5687302)),
  $toHashedIndexKey: unary((value) => int64(hashOf(value ?? nullValue))),
  $rand: compileRand,
  $meta: compileMeta,
};

function timestampPart(value: Value | undefined, name: string, at: number, code: number): Value {
  if (isNullish(value)) return nullValue;
  if (value.type !== bsonTypes.timestamp) {
    throw new ServerError(code, `Argument to ${name} must be a timestamp, but is ${typeOf(value)}`);
  }
  return int64(BigInt(readInt32(value.bytes, value.start + at) >>> 0));
}

function compileRand(operand: Element, { random }: Compiler): Expression {
  const empty =
    (operand.type === bsonTypes.array && entriesOf(operand).length === 0) ||
    (operand.type === bsonTypes.object && documentOf(operand).isEmpty);
  if (empty) return { evaluate: () => double(random()) };
  const listed = operand.type === bsonTypes.array || operand.type === bsonTypes.object;
  throw new ServerError(listed ? 3040501 : 10065, '$rand does not currently accept arguments');
}

/**
 * All names of metadata. The value is true if reading unavailable metadata fails instead of returning a
 * missing value.
 */
const metadata: ReadonlyMap<string, boolean> = new Map([
  ['textScore', true],
  ['geoNearDistance', true],
  ['geoNearPoint', true],
  ['searchScore', false],
  ['searchHighlights', false],
  ['searchScoreDetails', false],
  ['searchSequenceToken', false],
  ['searchRootDocumentId', true],
  ['vectorSearchScore', false],
  ['score', false],
  ['scoreDetails', false],
  ['recordId', false],
  ['indexKey', false],
  ['sortKey', false],
  ['randVal', false],
  ['timeseriesBucketMinTime', false],
  ['timeseriesBucketMaxTime', false],
]);

/** Metadata that is not part of API Version 1. */
const unstable: ReadonlySet<string> = new Set([
  'indexKey',
  'score',
  'scoreDetails',
  'searchHighlights',
  'searchRootDocumentId',
  'searchScore',
  'searchScoreDetails',
  'searchSequenceToken',
  'textScore',
  'vectorSearchScore',
]);

function compileMeta(operand: Element, compiler: Compiler): Expression {
  if (operand.type !== bsonTypes.string) {
    throw new ServerError(17307, '$meta only supports string arguments');
  }
  const name = textOf(operand);
  const required = metadata.get(name);
  if (required === undefined) throw new ServerError(17308, `Unsupported argument to $meta: ${name}`);
  if (unstable.has(name) && compiler.strictApi) {
    throw new ServerError(
      'APIStrictError',
      `Provided apiStrict is true with an unstable meta field "${name}"`,
    );
  }
  compiler.recordMetadataUse(name);
  if (compiler.metadata.has(name)) return { evaluate: ({ root }) => metadataValue(root, name) };
  // A stage provides score details only if its specification requests them. Reading details that were not
  // requested is an error.
  const unasked = name === 'scoreDetails' && compiler.metadata.has('score');
  if (required || unasked) {
    const text = name === 'searchRootDocumentId' ? '$search root document id' : name;
    throw new ServerError(40218, `query requires ${text} metadata, but it is not available`);
  }
  return { evaluate: () => undefined };
}
