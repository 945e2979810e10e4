import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteWriter } from './byte-writer.ts';

test('a writer has a maximum size, and grows up to it', () => {
  const writer = new ByteWriter();
  const part = new Uint8Array(1 << 25).fill(1);
  for (let i = 0; i < 4; i++) writer.span(part);
  assert.equal(writer.length, 1 << 27);
  assert.throws(() => writer.byte(1), { codeName: 'BSONObjectTooLarge' });
});
