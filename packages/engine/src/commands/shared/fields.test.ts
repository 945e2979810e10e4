import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Decimal128, type Document, Int32, Long } from 'bson';
import { writeDocument } from '../../bson/document-writer.ts';
import { RawDocument } from '../../bson/raw.ts';
import { int32 } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { fields } from './fields.ts';

const reader = fields(
  'frob',
  {
    frob: 'collection!',
    size: 'count',
    list: 'documents',
    strict: 'bool',
    loose: 'truth',
    id: 'long',
    u: 'value',
  },
  (name) => name === '$db',
);

const read = (document: Document) => reader.read(RawDocument.from({ frob: 'c', ...document }));

const refusal = (code: number, message: string) => (error: unknown) => {
  assert.ok(error instanceof ServerError);
  assert.deepEqual([error.code, error.message], [code, message]);
  return true;
};

describe('the fields of a command', () => {
  it('are read by kind; null and absent fields are omitted', () => {
    const { frob, size, list, strict, loose, id } = read({
      size: 3,
      list: [{ a: 1 }],
      strict: true,
      loose: 0,
      id: Long.fromNumber(7),
      $db: 'x',
    });
    assert.deepEqual(
      { frob, size, strict, loose, id },
      { frob: 'c', size: 3, strict: true, loose: false, id: 7n },
    );
    assert.deepEqual(list?.[0]?.toObject(), { a: 1 });
    assert.equal(read({ size: null }).size, undefined);
    assert.ok(read({ u: null }).u);
  });

  const numbers: Array<[unknown, number]> = [
    [2.9, 2],
    [Number.NaN, 0],
    [-0.5, 0],
    [Decimal128.fromString('2.5'), 2],
    [Decimal128.fromString('3.5'), 4],
    [Decimal128.fromString('2.6'), 3],
    [Decimal128.fromString(`0.5${'0'.repeat(32)}1`), 1],
    [Long.fromNumber(5), 5],
  ];
  for (const [given, whole] of numbers) {
    it(`convert ${given} to the integer ${whole}`, () => {
      assert.equal(read({ size: given }).size, whole);
    });
  }

  it('are rejected by name if unknown, missing or of another type', () => {
    assert.throws(() => read({ foo: 1 }), refusal(40415, "BSON field 'frob.foo' is an unknown field."));
    assert.throws(
      () => reader.read(RawDocument.from({ size: 1 })),
      refusal(40414, "BSON field 'frob.frob' is missing but a required field"),
    );
    assert.throws(
      () => read({ size: 'x' }),
      refusal(
        14,
        "BSON field 'frob.size' is the wrong type 'string', expected types '[long, int, decimal, double]'",
      ),
    );
    assert.throws(
      () => read({ strict: new Int32(1) }),
      refusal(14, "BSON field 'frob.strict' is the wrong type 'int', expected type 'bool'"),
    );
    assert.throws(
      () => read({ list: [{}, 1] }),
      refusal(14, "BSON field 'frob.list.1' is the wrong type 'int', expected type 'object'"),
    );
    assert.throws(
      () => read({ size: -1 }),
      refusal(2, "BSON field 'size' value must be >= 0, actual value '-1'"),
    );
    assert.throws(() => read({ frob: null }), refusal(73, 'collection name has invalid type null'));
  });

  it('are rejected if repeated', () => {
    const twice = writeDocument((writer) => {
      writer.field('size', int32(1));
      writer.field('size', int32(2));
    });
    assert.throws(() => reader.read(twice), refusal(40413, "BSON field 'frob.size' is a duplicate field"));
    const sequences = new Map([['list', [RawDocument.empty]]]);
    const body = RawDocument.from({ frob: 'c', list: [{}] });
    assert.throws(
      () => reader.read(body, sequences),
      refusal(40413, "BSON field 'frob.list' is a duplicate field"),
    );
  });

  it('may come in document sequences', () => {
    const body = RawDocument.from({ frob: 'c' });
    assert.equal(reader.read(body, new Map([['list', [RawDocument.empty]]])).list?.length, 1);
    for (const name of ['size', 'other']) {
      const sequences = new Map([[name, [RawDocument.empty]]]);
      assert.throws(
        () => reader.read(body, sequences),
        refusal(40415, `BSON field 'frob.${name}' is an unknown field.`),
      );
    }
  });
});
