import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Binary, Double, deserialize, Int32, Long, ObjectId, serialize, Timestamp } from 'bson';
import { encodeDocument } from './encode.ts';
import { RawDocument } from './raw.ts';
import { int64 } from './value.ts';

describe('an answer as BSON', () => {
  it('encodes types of JavaScript to the same bytes as the official codec', () => {
    const id = new ObjectId();
    const when = new Date(5);
    const encoded = encodeDocument({
      ok: new Double(1),
      n: 3,
      half: 0.5,
      big: 2 ** 40,
      cursor: { id: 7n, ns: 'a.b', firstBatch: [] },
      nothing: null,
      yes: true,
      list: [1, 'zwei', { c: [] }],
      id,
      when,
      ts: new Timestamp({ t: 1, i: 2 }),
      uuid: new Binary(new Uint8Array(16), 4),
      skipped: undefined,
    });
    const expected = serialize({
      ok: new Double(1),
      n: new Int32(3),
      half: 0.5,
      big: new Double(2 ** 40),
      cursor: { id: Long.fromNumber(7), ns: 'a.b', firstBatch: [] },
      nothing: null,
      yes: true,
      list: [new Int32(1), 'zwei', { c: [] }],
      id,
      when,
      ts: new Timestamp({ t: 1, i: 2 }),
      uuid: new Binary(new Uint8Array(16), 4),
    });
    assert.deepEqual(Buffer.from(encoded), Buffer.from(expected));
  });

  it('copies stored documents and values byte for byte', () => {
    const stored = RawDocument.from({ _id: new Double(1), n: Long.fromNumber(2) });
    const shifted = new RawDocument(Buffer.concat([Buffer.alloc(3), stored.toBytes()]), 3);
    const encoded = encodeDocument({ batch: [shifted], one: stored, value: int64(9n) });
    const { batch, one, value } = deserialize(encoded, { promoteValues: false });
    assert.deepEqual(serialize(batch[0]), Buffer.from(stored.toBytes()));
    assert.deepEqual(serialize(one), Buffer.from(stored.toBytes()));
    assert.ok(Long.fromNumber(9).equals(value));
  });

  it('names the entries of long arrays by their index', () => {
    const list = Array.from({ length: 1001 }, (_, i) => i);
    assert.deepEqual(deserialize(encodeDocument({ list })).list, list);
  });

  it('encodes strings of every length and script, and numbers at the limits of their types', () => {
    const texts = [
      '',
      'x'.repeat(64),
      'x'.repeat(65),
      'ü',
      'x'.repeat(5_000),
      '漢字'.repeat(3_000),
      '😀',
      '\0',
    ];
    const numbers = [0, -1, 2 ** 31 - 1, -(2 ** 31), 2 ** 31, 0.1, Number.NaN, Number.POSITIVE_INFINITY];
    assert.deepEqual(deserialize(encodeDocument({ texts, numbers, big: -1n })), {
      texts,
      numbers,
      big: -1,
    });
  });
});
