import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { RawDocument } from '../bson/raw.ts';
import { ClusterStore } from '../storage/cluster-store.ts';
import { checkFile } from '../storage/file/check-file.ts';
import { Connection } from '../storage/file/connection.ts';
import { FILE_NAME } from '../storage/file/format.ts';
import { idKey } from '../storage/records/id-key.ts';
import { FolderCopies } from './copy-all.ts';

const random = systemRandom();
const source = { now: () => 1_700_000_000_000, term: () => 1 };
/** Number of documents. They make the WAL so large that pages are moved into the file during the copy. */
const MANY = 20_000;

function opened(dir: string, key?: Uint8Array): ClusterStore {
  return ClusterStore.open(dir, random, source, { key });
}

function insert(store: ClusterStore, from: number, count: number): void {
  store.write(() => {
    const birds = store.collection('shop', 'birds') ?? store.create('shop', 'birds', RawDocument.empty);
    for (let _id = from; _id < from + count; _id++) {
      const document = RawDocument.from({ _id, text: 'eelgrass'.repeat(20) });
      birds.insert(idKey(document), document);
    }
  });
}

function twoClusters(t: TestContext, key?: Uint8Array) {
  const root = mkdtempSync(join(tmpdir(), 'copies-'));
  const names = ['one', 'other'] as const;
  const stores = names.map((name) => opened(join(root, name), key));
  t.after(() => {
    for (const store of stores) store.close();
    rmSync(root, { recursive: true });
  });
  for (const store of stores) insert(store, 0, 500);
  const folders = names.map((name) => ({ directory: join(root, name), to: join(root, 'copies', name), key }));
  const [one, other] = stores;
  assert.ok(one && other);
  return { one, other, folders, copied: names.map((name) => join(root, 'copies', name)) };
}

for (const [title, key] of [
  ['plain', undefined],
  ['encrypted', new Uint8Array(random.bytes(32))],
] as const) {
  test(`copies of ${title} clusters are of the moment at which they began, whatever is written meanwhile`, async (t) => {
    const { one, other, folders, copied } = twoClusters(t, key);
    // A reader of an older snapshot prevents pages from being moved from the WAL into the file.
    const older = one.snapshots.take();
    insert(one, 500, 1);
    const copies = new FolderCopies(folders);
    t.after(() => copies.close());
    assert.equal(copies.begin(), true);
    older.release();
    insert(one, 501, MANY);
    const copying = copies.copy();
    insert(other, 501, MANY);
    await copying;
    const counts = copied.map((dir) => {
      assert.equal(checkFile(join(dir, FILE_NAME), key), undefined);
      const store = opened(dir, key);
      const count = store.collection('shop', 'birds')?.documents;
      store.close();
      return count;
    });
    assert.deepEqual(counts, [501, 500]);
  });
}

test('copies do not begin, and hold no cluster, while one of the clusters is being written', (t) => {
  const { one, other, folders } = twoClusters(t);
  const copies = new FolderCopies(folders);
  t.after(() => copies.close());
  const writer = new Connection(join(folders[1]?.directory ?? '', FILE_NAME));
  t.after(() => writer.close());
  writer.exec('BEGIN IMMEDIATE');
  assert.equal(copies.begin(), false);
  // This insert would fail with a "busy" error if the file were still locked.
  insert(one, 500, 1);
  writer.exec('ROLLBACK');
  insert(other, 500, 1);
  assert.equal(copies.begin(), true);
});
