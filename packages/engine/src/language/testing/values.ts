import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  type Document,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson';
import fc from 'fast-check';
import { RawDocument } from '../../bson/raw.ts';
import { Value } from '../../bson/value.ts';

/** For tests: encodes a plain value or a class of `bson`. */
export function valueFrom(plain: unknown): Value {
  const value = RawDocument.from({ v: plain }).get('v');
  if (value === undefined) throw new Error('not a BSON value');
  return value;
}

/** For tests: values that `bson` cannot encode. */
export const undefinedValue = new Value(6, new Uint8Array(0), 0, 0);

export function dbPointer(text: string, id: string): Value {
  const name = valueFrom(text);
  const bytes = new Uint8Array([...name.bytes.subarray(name.start, name.end), ...Buffer.from(id, 'hex')]);
  return new Value(12, bytes, 0, bytes.length);
}

const decimalText = fc
  .record({
    negative: fc.boolean(),
    coefficient: fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 34n - 1n }), fc.bigInt({ min: 0n, max: 100n })),
    exponent: fc.oneof(fc.integer({ min: -40, max: 10 }), fc.integer({ min: -6176, max: 6111 })),
  })
  .map(({ negative, coefficient, exponent }) => `${negative ? '-' : ''}${coefficient}E${exponent}`);

const hardNumbers = [
  0,
  -0,
  1,
  -1,
  0.1,
  -0.1,
  0.5,
  2 ** 31,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  -(2 ** 63),
  1e15,
  1e308,
  5e-324,
].map((value) => new Double(value));

/** Numbers of every type. Many of them are close to numbers of other types. */
export const numbers: fc.Arbitrary<unknown> = fc.oneof(
  fc.integer().map((value) => new Int32(value)),
  fc.integer({ min: -3, max: 3 }).map((value) => new Int32(value)),
  fc.double().map((value) => new Double(value)),
  fc.constantFrom(...hardNumbers),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(Long.fromBigInt),
  fc.bigInt({ min: 2n ** 53n - 4n, max: 2n ** 53n + 4n }).map(Long.fromBigInt),
  decimalText.map(Decimal128.fromString),
  fc
    .bigInt({ min: 2n ** 53n - 4n, max: 2n ** 53n + 4n })
    .map((value) => Decimal128.fromString(value.toString())),
  fc.constantFrom('0', '-0', '1.0', '0.1', 'NaN', 'Infinity', '-Infinity').map(Decimal128.fromString),
);

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('', 'a', 'a\0', 'ab', 'é'),
);
/** Field names, which cannot contain NUL. */
const names = fc.oneof(fc.constantFrom('a', 'b', 'c', ''), fc.string({ maxLength: 4 }).map(withoutNul));

function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}

const scalars: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: numbers, weight: 4 },
  { arbitrary: texts, weight: 2 },
  fc.constantFrom<unknown>(null, true, false, new MinKey(), new MaxKey()),
  fc.date({ noInvalidDate: true }),
  texts.map((text) => new BSONSymbol(text)),
  fc.uint8Array({ minLength: 12, maxLength: 12 }).map((id) => new ObjectId(id)),
  fc
    .tuple(fc.uint8Array({ maxLength: 4 }), fc.constantFrom(0, 5, 128))
    .map(([b, type]) => new Binary(b, type)),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((t) => new Timestamp(t)),
  fc.tuple(names, fc.constantFrom('', 'i', 'm')).map(([pattern, flags]) => new BSONRegExp(pattern, flags)),
  texts.map((text) => new Code(text)),
  fc.tuple(texts, names).map(([text, name]) => new Code(text, { [name]: 1 })),
);

const { value, document } = fc.letrec<{ value: unknown; document: Document }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    tie('document'),
  ),
  document: fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));

/** Values and documents of every type that `bson` writes. */
export const values: fc.Arbitrary<unknown> = value;
export const documents: fc.Arbitrary<Document> = document;
