import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { encodeFrame, framesOf } from '@portolan/engine/management';
import type { TaskProgress } from '../../../tasks/index.ts';
import { TestObjects } from '../testing.ts';
import { BackupDamaged, ChunkStore, nothingStored } from './chunk-store.ts';

test('a chunk that is damaged in the store is removed, so that it is stored again', async () => {
  const objects = new TestObjects();
  const chunkStore = new ChunkStore(objects, 'cluster');
  const name = hash('sha256', 'a');
  const content = zstdCompressSync(Buffer.from('a'));
  await objects.put(`cluster/chunks/${name}`, content);
  const found = new Error(`chunk ${name} is damaged`);
  const other = new Error('the engine is unavailable');
  assert.equal(await chunkStore.diagnose(other), other);
  assert.equal(await chunkStore.diagnose(found), found, 'it was damaged in transit');
  assert.equal((await chunkStore.stored(undefined)).sizes.size, 1);

  for (const damaged of [Buffer.from('not packed'), zstdCompressSync(Buffer.from('b'))]) {
    await objects.put(`cluster/chunks/${name}`, damaged);
    assert.equal(await chunkStore.diagnose(other), other);
    const problem = await chunkStore.diagnose(found);
    assert.ok(problem instanceof BackupDamaged);
    assert.equal(problem.message, found.message);
    assert.equal((await chunkStore.stored(undefined)).sizes.size, 0);
    assert.equal(await chunkStore.diagnose(found), found);
  }
});

test('the content of a chunk takes no memory once it is in its frame', async () => {
  const objects = new TestObjects();
  const read: Uint8Array[] = [];
  const get = objects.get.bind(objects);
  objects.get = async (key) => {
    const content = await get(key);
    if (content !== undefined && key.includes('/chunks/')) read.push(content);
    return content;
  };
  const content = randomBytes(64 * 1024);
  const name = hash('sha256', content, 'hex');
  async function* taken() {
    const head = { format: 1, position: { seconds: 1, increment: 1 }, bytes: content.length } as const;
    yield encodeFrame({ kind: 'head', head });
    yield encodeFrame({ kind: 'chunk', hash: name, content });
    yield encodeFrame({ kind: 'end', end: { collections: [] } });
  }
  const chunkStore = new ChunkStore(objects, 'cluster');
  await chunkStore.keep('one', taken(), nothingStored);
  const chunks: Uint8Array[] = [];
  for await (const frame of framesOf(chunkStore.frames('one')))
    if (frame.kind === 'chunk') chunks.push(frame.content);
  assert.deepEqual(Buffer.concat(chunks), content);
  assert.deepEqual(
    read.map(({ length }) => length),
    [0],
  );
});

test('storing, copying and reading a snapshot report their progress in bytes', async () => {
  const contents = ['a', 'b'].map((text) => Buffer.alloc(1024 * 1024, text));
  async function* taken() {
    const head = { format: 1, position: { seconds: 1, increment: 1 }, bytes: 1.5 * 1024 * 1024 } as const;
    yield encodeFrame({ kind: 'head', head });
    for (const content of contents)
      yield encodeFrame({
        kind: 'chunk',
        hash: hash('sha256', content, 'hex'),
        content: zstdCompressSync(content),
      });
    yield encodeFrame({ kind: 'end', end: { collections: [] } });
  }
  const reports: TaskProgress[] = [];
  const progress = (report: TaskProgress) => void reports.push(report);
  const last = () => reports.splice(0).map(({ unit, done, total }) => `${unit} ${done} of ${total}`);
  const chunkStore = new ChunkStore(new TestObjects(), 'cluster');
  const { chunks } = await chunkStore.keep('s', taken(), nothingStored, progress);
  assert.deepEqual(last(), ['bytes 1048576 of 1572864', 'bytes 1572864 of 1572864']);

  const sizes = chunks.map(({ bytes }) => bytes);
  const [first = 0, second = 0] = sizes;
  const steps = [`bytes ${first} of ${first + second}`, `bytes ${first + second} of ${first + second}`];
  await new ChunkStore(new TestObjects(), 'copy').copy('s', chunkStore, progress);
  assert.deepEqual(last(), steps);
  for await (const _ of framesOf(chunkStore.frames('s', { progress })));
  assert.deepEqual(last(), steps);
});
