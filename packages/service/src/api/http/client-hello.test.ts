import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWholeHello } from './client-hello.ts';

/** Divides a message into TLS records. */
function records(message: Buffer, size: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const content = message.subarray(at, at + size);
    parts.push(Buffer.from([22, 3, 1, content.length >> 8, content.length & 255]), content);
  }
  return Buffer.concat(parts);
}

test('a first message is whole with its last byte, in one record or in several', () => {
  const message = Buffer.concat([Buffer.from([1, 0, 1, 0]), Buffer.alloc(256, 7)]);
  for (const size of [message.length, 100, 3, 1]) {
    const bytes = records(message, size);
    for (let length = 0; length < bytes.length; length++)
      assert.equal(isWholeHello(bytes.subarray(0, length)), false, `${length} bytes in records of ${size}`);
    assert.equal(isWholeHello(bytes), true);
  }
});

test('TLS itself rejects other messages', () => {
  const others = [
    Buffer.from([23, 3, 1, 0, 5]),
    records(Buffer.from([2, 0, 1, 0]), 4),
    Buffer.concat([Buffer.from([22, 3, 1, 255, 255, 1, 255, 255, 255]), Buffer.alloc(16_384)]),
  ];
  for (const bytes of others) assert.equal(isWholeHello(bytes), true);
});
