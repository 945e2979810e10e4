import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { serialize } from 'bson';
import { RawDocument } from '../bson/raw.ts';
import { body, sequence } from '../wire/testing.ts';
import { admin, CLUSTER_ID, TestCluster } from './testing.ts';

/**
 * The tests use documents that are built byte by byte, like those in the corpus of the BSON specification. Valid values
 * are stored and returned unchanged.
 */

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
};

/** Returns the document `{_id: 1, v: value}`. */
function documentOf(type: number, value: Buffer): Buffer {
  const fields = Buffer.concat([hex('10 5f6964 00 01000000'), Buffer.of(type), Buffer.from('v\0'), value]);
  return Buffer.concat([int32(fields.length + 5), fields, Buffer.of(0)]);
}

const text = (value: string) =>
  Buffer.concat([int32(Buffer.byteLength(value) + 1), Buffer.from(`${value}\0`)]);
const inner = (fields: string) => Buffer.concat([int32(hex(fields).length + 5), hex(fields), Buffer.of(0)]);
const binary = (subtype: number, content: string) =>
  Buffer.concat([int32(hex(content).length), Buffer.of(subtype), hex(content)]);
const scoped = (code: string, scope: string) => {
  const parts = Buffer.concat([text(code), inner(scope)]);
  return Buffer.concat([int32(parts.length + 4), parts]);
};

const values: ReadonlyArray<readonly [name: string, type: number, value: Buffer]> = [
  ['double 1', 0x01, hex('000000000000f03f')],
  ['double -1', 0x01, hex('000000000000f0bf')],
  ['double 1.0001220703125', 0x01, hex('000000008000f03f')],
  ['double 1.2345678921232e18', 0x01, hex('2a1bf5f41022b143')],
  ['double -1.2345678921232e18', 0x01, hex('2a1bf5f41022b1c3')],
  ['double 0', 0x01, hex('0000000000000000')],
  ['double -0', 0x01, hex('0000000000000080')],
  ['double NaN', 0x01, hex('000000000000f87f')],
  ['double NaN with a payload', 0x01, hex('120000000000f87f')],
  ['double infinity', 0x01, hex('000000000000f07f')],
  ['double -infinity', 0x01, hex('000000000000f0ff')],
  ['the empty text', 0x02, text('')],
  ['a string of one letter', 0x02, text('b')],
  ['a string of many letters', 0x02, text('abababababab')],
  ['a string of two-byte letters', 0x02, text('\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9')],
  ['a string of three-byte letters', 0x02, text('\u2606\u2606\u2606\u2606')],
  ['a string with a NUL', 0x02, text('ab\0bab\u0001babab')],
  ['a string of one surrogate pair', 0x02, text('\u{1f600}')],
  ['the empty document', 0x03, inner('')],
  ['a document with an empty field name', 0x03, inner('02 00 02000000 62 00')],
  ['a document with a field name of one letter', 0x03, inner('02 61 00 02000000 62 00')],
  ['a document with a field name that begins with a dollar sign', 0x03, inner('02 2461 00 02000000 62 00')],
  ['a document with two fields of the same name', 0x03, inner('10 61 00 01000000 10 61 00 02000000')],
  ['the empty array', 0x04, inner('')],
  ['an array of one', 0x04, inner('10 30 00 0a000000')],
  ['an array of two', 0x04, inner('10 30 00 0a000000 10 31 00 14000000')],
  ['empty binary data', 0x05, binary(0, '')],
  ['binary data', 0x05, binary(0, 'ffff')],
  ['binary data, a function', 0x05, binary(1, 'ffff')],
  ['binary data, the old kind', 0x05, binary(2, '02000000 ffff')],
  ['binary data, the old UUID', 0x05, binary(3, '73ffd26444b34c6990e8e7d1dfc035d4')],
  ['binary data, a UUID', 0x05, binary(4, '73ffd26444b34c6990e8e7d1dfc035d4')],
  ['binary data, a digest', 0x05, binary(5, '73ffd26444b34c6990e8e7d1dfc035d4')],
  ['binary data, encrypted', 0x05, binary(6, '73ffd264')],
  ['binary data, a compressed time series', 0x05, binary(7, '73ffd264')],
  ['binary data, secret', 0x05, binary(8, '73ffd264')],
  ['binary data, a vector of floats', 0x05, binary(9, '2700 fe42 e040 0000')],
  ['binary data, user-defined', 0x05, binary(0x80, 'ffff')],
  ['undefined', 0x06, hex('')],
  ['an object id', 0x07, hex('56e1fc72e0c917e9c4714161')],
  ['an object id of zeros', 0x07, hex('000000000000000000000000')],
  ['an object id of ones', 0x07, hex('ffffffffffffffffffffffff')],
  ['true', 0x08, hex('01')],
  ['false', 0x08, hex('00')],
  ['the epoch', 0x09, hex('0000000000000000')],
  ['a date', 0x09, hex('c5d8d6cc3b010000')],
  ['a date before the epoch', 0x09, hex('c33ce7b9bdffffff')],
  ['a date past the year 9999', 0x09, hex('00dc1fd277e60000')],
  ['null', 0x0a, hex('')],
  ['an empty pattern', 0x0b, Buffer.from('\0\0')],
  ['a pattern', 0x0b, Buffer.from('abc\0\0')],
  ['a pattern with options', 0x0b, Buffer.from('abc\0im\0')],
  ['a pattern with a slash', 0x0b, Buffer.from('ab/cd\0im\0')],
  ['a pattern with all options', 0x0b, Buffer.from('abc\0imsux\0')],
  ['a pointer', 0x0c, Buffer.concat([text('b'), hex('56e1fc72e0c917e9c4714161')])],
  ['code', 0x0d, text('function () { return 1; }')],
  ['a symbol', 0x0e, text('abababababab')],
  ['code with an empty scope', 0x0f, scoped('abcd', '')],
  ['code with a scope', 0x0f, scoped('abcd', '10 78 00 01000000')],
  ['int32, the least', 0x10, hex('00000080')],
  ['int32, the greatest', 0x10, hex('ffffff7f')],
  ['int32 0', 0x10, hex('00000000')],
  ['int32 -1', 0x10, hex('ffffffff')],
  ['a timestamp', 0x11, hex('2a00000015cd5b07')],
  ['a timestamp past 2038', 0x11, hex('ffffffff ffffffff')],
  ['int64, the least', 0x12, hex('0000000000000080')],
  ['int64, the greatest', 0x12, hex('ffffffffffffff7f')],
  ['int64 1', 0x12, hex('0100000000000000')],
  ['int64 -1', 0x12, hex('ffffffffffffffff')],
  ['decimal NaN', 0x13, hex('0000000000000000000000000000007c')],
  ['decimal -NaN', 0x13, hex('000000000000000000000000000000fc')],
  ['decimal signalling NaN', 0x13, hex('0000000000000000000000000000007e')],
  ['decimal NaN with a payload', 0x13, hex('1200000000000000000000000000007e')],
  ['decimal infinity', 0x13, hex('00000000000000000000000000000078')],
  ['decimal -infinity', 0x13, hex('000000000000000000000000000000f8')],
  ['decimal 0', 0x13, hex('00000000000000000000000000004030')],
  ['decimal -0', 0x13, hex('000000000000000000000000000040b0')],
  ['decimal 0E+6000', 0x13, hex('0000000000000000000000000000205f')],
  ['decimal 0.001', 0x13, hex('01000000000000000000000000003a30')],
  ['decimal 1E-6176', 0x13, hex('01000000000000000000000000000000')],
  ['the greatest decimal', 0x13, hex('ffffffff638e8d37c087adbe09edff5f')],
  ['a decimal of another form', 0x13, hex('0000000000000000000000000000106c')],
  ['the least key', 0xff, hex('')],
  ['the greatest key', 0x7f, hex('')],
];

/** Invalid values, most of which have a wrong length. */
const invalid: ReadonlyArray<readonly [name: string, type: number, value: Buffer]> = [
  ['a double of 4 bytes', 0x01, hex('00000000')],
  ['a string of length 0', 0x02, hex('00000000')],
  ['a string of a negative length', 0x02, hex('ffffffff 6200')],
  ['a string that is shorter than its length says', 0x02, hex('10000000 6200')],
  ['a string without its NUL', 0x02, hex('04000000 61626364')],
  ['a document that is longer than its length says', 0x03, hex('05000000 08 6200 01 00')],
  ['a document that is shorter than its length says', 0x03, hex('18000000 02 6200 01000000 00 00')],
  ['a document without its NUL', 0x03, hex('05000000 01')],
  ['binary data of a negative length', 0x05, hex('ffffffff 00')],
  ['binary data that is shorter than its length says', 0x05, hex('20000000 00 ffff')],
  ['a bool that is 2', 0x08, hex('02')],
  ['a bool that is -1', 0x08, hex('ff')],
  ['a pointer with a name that is too short', 0x0c, hex('03000000 6200 56e1fc72e0c917e9c471416100')],
  ['code that is shorter than its length says', 0x0d, hex('10000000 6200')],
  ['code with a scope that is too long', 0x0f, hex('ff000000 05000000 61626364 00 05000000 00')],
  ['code with a scope of length 0', 0x0f, hex('00000000 05000000 61626364 00 05000000 00')],
  ['an int64 of 4 bytes', 0x12, hex('00000000')],
  ['a decimal of 8 bytes', 0x13, hex('0000000000000000')],
  ['a type that does not exist', 0x14, hex('')],
  ['another type that does not exist', 0x80, hex('')],
];

let cluster: TestCluster;
before(() => {
  cluster = new TestCluster();
});
after(() => cluster.remove());

/** Runs a command, parts of which are given as bytes, and returns the reply. */
function run(command: object, ...more: readonly Buffer[]): RawDocument {
  let answer: RawDocument | undefined;
  cluster.worker.submit(
    {
      requestId: 1,
      clusterId: CLUSTER_ID,
      caller: { connectionId: 1, remote: '127.0.0.1:50000', member: 'm0', user: admin },
      sections: Buffer.concat([body(serialize({ ...command, $db: 'test' })), ...more]),
    },
    (bytes) => {
      answer = RawDocument.of(bytes);
    },
  );
  cluster.worker.runTurn();
  assert.ok(answer);
  return answer;
}

const insert = (document: Buffer) => run({ insert: 'values' }, sequence('documents', [document]));

function stored(): string | undefined {
  const [document] = run({ find: 'values' }).document('cursor')?.documents('firstBatch') ?? [];
  return document && Buffer.from(document.toBytes()).toString('hex');
}

describe('documents as bytes', () => {
  for (const [name, type, value] of values) {
    it(`are returned unchanged: ${name}`, () => {
      const document = documentOf(type, value);
      run({ delete: 'values', deletes: [{ q: {}, limit: 0 }] });
      assert.equal(insert(document).int('n'), 1);
      assert.equal(stored(), document.toString('hex'));
      // Values also remain unchanged when another field changes, and when a pipeline builds a document from them.
      run({ update: 'values', updates: [{ q: { _id: 1 }, u: { $set: { w: 1 } } }] });
      run({ update: 'values', updates: [{ q: { _id: 1 }, u: { $unset: { w: 1 } } }] });
      assert.equal(stored(), document.toString('hex'));
      const pipeline = [{ $set: { w: '$v' } }, { $unset: 'w' }];
      const [made] =
        run({ aggregate: 'values', pipeline, cursor: {} }).document('cursor')?.documents('firstBatch') ?? [];
      assert.equal(made && Buffer.from(made.toBytes()).toString('hex'), document.toString('hex'));
    });
  }

  for (const [name, type, value] of invalid) {
    it(`are refused: ${name}`, () => {
      const reply = insert(documentOf(type, value));
      assert.equal(reply.int('ok'), 0);
      assert.equal(reply.string('codeName'), 'InvalidBSON');
    });
  }
});
