import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { MAX_MESSAGE_BYTES } from '../message/codec.ts';
import { MalformedMessage } from '../message/sections.ts';
import { FrameReader } from './frame-reader.ts';
import { wireMessage } from './testing.ts';

const LIMIT = 1_000;

suite('FrameReader', () => {
  test('returns messages unchanged, however the bytes are split and joined', () => {
    const bodies = fc.array(fc.uint8Array({ maxLength: 60 }), { minLength: 1, maxLength: 8 });
    const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
    fc.assert(
      fc.property(bodies, cuts, (parts, sizes) => {
        const messages = parts.map((part) => wireMessage(2013, part));
        const stream = Buffer.concat(messages);
        const reader = new FrameReader(LIMIT);
        const found: Buffer[] = [];
        for (let at = 0, i = 0; at < stream.length; i++) {
          const size = sizes[i % sizes.length] as number;
          reader.push(stream.subarray(at, at + size));
          at += size;
          for (let next = reader.next(); next !== undefined; next = reader.next()) found.push(next);
        }
        assert.deepEqual(found, messages);
        assert.equal(reader.buffered, 0);
      }),
    );
  });

  test('gives a message that arrived in parts a buffer of its own', () => {
    const message = wireMessage(2013, Buffer.alloc(100, 7));
    const reader = new FrameReader(LIMIT);
    reader.push(message.subarray(0, 50));
    assert.equal(reader.next(), undefined);
    reader.push(message.subarray(50));
    assert.equal(reader.next()?.buffer.byteLength, message.length);
  });

  test('keeps a message that arrives byte by byte in few pieces', () => {
    const message = wireMessage(2013, Buffer.from(Array.from({ length: 5_000 }, (_, i) => i % 251)));
    const reader = new FrameReader(10_000);
    let most = 0;
    for (const byte of message.subarray(0, -1)) {
      reader.push(Buffer.of(byte));
      most = Math.max(most, reader.pieces);
    }
    assert.ok(most <= 40, `${most} pieces`);
    assert.equal(reader.next(), undefined);
    reader.push(message.subarray(-1));
    assert.deepEqual(reader.next(), message);
  });

  test('copies few bytes, however the sizes of the parts change', (t) => {
    const concat = Buffer.concat;
    let copied = 0;
    t.mock.method(Buffer, 'concat', (parts: readonly Uint8Array[], size?: number) => {
      const joined = concat(parts, size);
      copied += joined.length;
      return joined;
    });
    const reader = new FrameReader(MAX_MESSAGE_BYTES);
    const head = Buffer.alloc(16);
    head.writeInt32LE(MAX_MESSAGE_BYTES);
    reader.push(head);
    // In each round, the parts become smaller, and the last part is larger than all others.
    for (let round = 0; round < 40; round++) {
      for (let size = 300; size > 0; size--) reader.push(Buffer.alloc(size));
      reader.push(Buffer.alloc(301));
    }
    assert.ok(copied < 20 * reader.buffered, `${copied} bytes copied of ${reader.buffered}`);
  });

  test('frees the memory of discarded bytes at once, but not that of a message in use', () => {
    const messages = Buffer.concat([wireMessage(2013, Buffer.alloc(10, 1)), Buffer.alloc(20)]);
    const [shared, own] = [Buffer.from(new Uint8Array(messages)), Buffer.from(new ArrayBuffer(70_000))];
    const reader = new FrameReader(LIMIT);
    reader.push(shared);
    const message = reader.next();
    reader.push(own);
    reader.clear();
    assert.equal(reader.buffered, 0);
    assert.equal(own.buffer.byteLength, 0);
    assert.equal(message?.length, 26);
    assert.equal(message?.at(-1), 1);
  });

  for (const length of [-1, 0, 15, LIMIT + 1]) {
    test(`rejects a length of ${length} before the rest has arrived`, () => {
      const reader = new FrameReader(LIMIT);
      const bytes = Buffer.alloc(4);
      bytes.writeInt32LE(length);
      reader.push(bytes);
      assert.throws(() => reader.next(), MalformedMessage);
    });
  }

  test('allows the limit to increase', () => {
    const message = wireMessage(2013, Buffer.alloc(LIMIT));
    const reader = new FrameReader(LIMIT);
    reader.limit = 2 * LIMIT;
    reader.push(message);
    assert.equal(reader.next()?.length, message.length);
  });
});
