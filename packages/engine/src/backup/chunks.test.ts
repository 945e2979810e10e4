import { deepEqual, equal, throws } from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { CHUNK_BYTES, unpackChunk } from './chunks.ts';

test('a chunk is decompressed into one buffer, without copying pieces', (t) => {
  const chunk = randomBytes(CHUNK_BYTES);
  const packed = zstdCompressSync(chunk);
  const joined = t.mock.method(Buffer, 'concat');
  const unpacked = unpackChunk(packed, hash('sha256', chunk, 'hex'));
  equal(joined.mock.callCount(), 0);
  deepEqual(Buffer.from(unpacked), chunk);
  equal(unpacked.buffer.byteLength, CHUNK_BYTES, 'freeMemory can free the buffer');
});

test('a chunk with other content than its name says is damaged', () => {
  throws(() => unpackChunk(zstdCompressSync(Buffer.from('a')), hash('sha256', 'b', 'hex')), /is damaged/);
});
