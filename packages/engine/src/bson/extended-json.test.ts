import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  type Document,
  Double,
  deserialize,
  EJSON,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  serialize,
  Timestamp,
  UUID,
} from 'bson';
import { extendedJsonLines, relaxedJson } from './extended-json.ts';
import { RawDocument } from './raw.ts';

const everyKind = {
  _id: new ObjectId('507f1f77bcf86cd799439011'),
  doubles: [1, 1.5, -0.25, 1e300, 5e-324].map((value) => new Double(value)),
  oddDoubles: [-0, Number.NaN, Infinity, -Infinity, 2 ** 53, 1e21].map((value) => new Double(value)),
  text: 'é "quoted" \\ \u0000 \u2028 🚢',
  nested: { '': { a: [1, [2, []], {}] }, 'a.b': new Int32(-1), $x: true },
  binaries: [
    new Binary(Buffer.from('x'), 0x80),
    new Binary(Buffer.from('old'), 2),
    new Binary(Buffer.alloc(0)),
  ],
  uuid: new UUID('3b241101-e2bb-4255-8caf-4136c566a962'),
  bools: [true, false],
  dates: [new Date(-1), new Date(0), new Date(253402300800000)],
  none: null,
  regex: new BSONRegExp('a/"b', 'ix'),
  code: new Code('() => "f"'),
  scoped: new Code('f', { a: new Int32(1) }),
  symbol: new BSONSymbol('a symbol'),
  stamps: [new Timestamp({ t: 4294967295, i: 4294967295 }), new Timestamp({ t: 0, i: 1 })],
  longs: [Long.MAX_VALUE, Long.MIN_VALUE, new Long(5)],
  decimals: ['1.50', 'NaN', '-Infinity', '1E+6144', '-0'].map((text) => Decimal128.fromString(text)),
  ends: [new MinKey(), new MaxKey()],
};

test('writes every type of value as the official codec does', () => {
  const bytes = serialize(everyKind);
  // Decode the value first. The codec would write a binary value of subtype 2 in another form if the codec
  // had not read it from bytes.
  const read = deserialize(bytes, { promoteValues: false, bsonRegExp: true, promoteBuffers: false });
  assert.deepEqual(
    JSON.parse(extendedJsonLines(bytes)),
    JSON.parse(EJSON.stringify(read, { relaxed: false })),
  );
  assert.deepEqual(serialize(EJSON.parse(extendedJsonLines(bytes), { relaxed: false })), bytes);
});

test('writes one document per line and keeps the order of fields', () => {
  const numbered = Buffer.from(serialize({ bb: new Int32(1), a: new Int32(2) }));
  // JavaScript moves a numeric property name to the front of an object.
  numbered.write('22', numbered.indexOf('bb'));
  numbered.write('1', numbered.indexOf('a\0'));
  const lines = extendedJsonLines(Buffer.concat([numbered, serialize({}), numbered]));
  const line = '{"22":{"$numberInt":"1"},"1":{"$numberInt":"2"}}';
  assert.equal(lines, `${line}\n{}\n${line}\n`);
});

test('the relaxed form is that of the official codec, and rounds nothing', () => {
  const { longs, dates, ...others } = everyKind;
  const read = (of: Document) =>
    deserialize(serialize(of), { promoteValues: false, bsonRegExp: true, promoteBuffers: false });
  const text = relaxedJson(RawDocument.from(others));
  // The codec loses the sign of zero.
  const known = JSON.parse(text.replace('-0.0,', '0,'));
  assert.deepEqual(known, JSON.parse(EJSON.stringify(read(others), { relaxed: true })));
  assert.match(text, /"doubles":\[1\.0,1\.5,/);
  assert.deepEqual(JSON.parse(relaxedJson(RawDocument.from({ longs, dates }))), {
    longs: [{ $numberLong: '9223372036854775807' }, { $numberLong: '-9223372036854775808' }, 5],
    dates: [
      { $date: { $numberLong: '-1' } },
      { $date: '1970-01-01T00:00:00.000+00:00' },
      { $date: { $numberLong: '253402300800000' } },
    ],
  });
  const safe = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
  const whole = RawDocument.from({ safe: safe.map((number) => Long.fromNumber(number)) });
  assert.deepEqual(JSON.parse(relaxedJson(whole)), { safe });
});
