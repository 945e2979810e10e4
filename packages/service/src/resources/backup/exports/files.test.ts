import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { SnapshotCollection, SnapshotContents } from '@portolan/engine/management';
import { TestObjects } from '../testing.ts';
import { exportCollection } from './files.ts';

const collection: SnapshotCollection = {
  ...{ database: 'harbour', name: 'ports', type: 'collection' },
  metadata: Buffer.alloc(0),
};

/**
 * Returns a snapshot with one collection. `sizes` gets the length of each batch after the batch was used. If the memory
 * of the batch was freed, the length is 0.
 */
function contentsOf(texts: readonly string[]) {
  const batches = texts.map((text) => new TextEncoder().encode(text));
  const sizes: number[] = [];
  const contents = {
    shares: async () => [{ shard: '', documents: texts.length, bytes: 0 }],
    async *lines() {
      for (const bytes of batches) {
        yield { documents: 1, bytes };
        sizes.push(bytes.length);
      }
    },
  } as unknown as SnapshotContents;
  return { contents, sizes };
}

const target = (bucket: TestObjects) => ({ bucket, prefix: 'p', clusterName: 'fleet' });
/**
 * Returns the texts of the files in the order of their numbers. Two files are written at once, so a later one can end
 * first.
 */
const packedIn = (bucket: TestObjects) =>
  [...bucket.content]
    .filter(([key]) => key.endsWith('.gz'))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, content]) => String(gunzipSync(content)));

test('a batch takes no memory once it is compressed', async () => {
  const bucket = new TestObjects();
  const { contents, sizes } = contentsOf(['a\n', 'b\n', 'c\n']);
  assert.equal(await exportCollection(contents, collection, target(bucket)), 2);
  assert.deepEqual(packedIn(bucket), ['a\nb\nc\n']);
  assert.deepEqual(sizes, [0, 0, 0]);
});

test('a file takes no memory once it is written', async () => {
  const files: Uint8Array[] = [];
  const bucket = new TestObjects();
  const put = bucket.put.bind(bucket);
  bucket.put = (key, content) => {
    if (key.endsWith('.gz')) files.push(content);
    return put(key, content);
  };
  // Use a random text, which compresses badly. Small compressed files would share their memory with each other.
  const text = randomBytes(512 * 1024).toString('hex');
  await exportCollection(contentsOf([text]).contents, collection, target(bucket));
  assert.deepEqual(
    files.map(({ length }) => length),
    [0],
  );
  assert.deepEqual(packedIn(bucket), [text]);
});

test('a file ends with the batch that fills it', async () => {
  const bucket = new TestObjects();
  const text = 'x'.repeat(9 * 1024 * 1024);
  const { contents } = contentsOf([text, text, 'y']);
  assert.equal(await exportCollection(contents, collection, target(bucket)), 3);
  assert.deepEqual(
    packedIn(bucket).map(({ length }) => length),
    [2 * text.length, 1],
  );
});

test('a file that cannot be written ends the export', async () => {
  const bucket = new TestObjects();
  bucket.trouble = (call) => {
    if (call === 'put') throw new Error('the bucket is full');
  };
  const text = 'x'.repeat(16 * 1024 * 1024);
  const { contents } = contentsOf([text, text, text, text, 'y']);
  await assert.rejects(exportCollection(contents, collection, target(bucket)), /the bucket is full/);
});
