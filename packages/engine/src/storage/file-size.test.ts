import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { RawDocument } from '../bson/raw.ts';
import { ClusterStore } from './cluster-store.ts';
import type { Collection } from './collection/collection.ts';
import { FILE_NAME } from './file/format.ts';
import { StorageError } from './file/storage-error.ts';
import { idKey } from './records/id-key.ts';

const MB = 1024 * 1024;
let dir: string;
let store: ClusterStore;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'file-size-'));
  store = ClusterStore.open(dir, systemRandom(), { now: () => 1_700_000_000_000, term: () => 1 });
  store.oplog.limit = MB;
});

afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true });
});

function fill(collection: Collection, from: number, to: number): void {
  for (let _id = from; _id < to; _id++) {
    const doc = RawDocument.from({ _id, pad: 'x'.repeat(10_000) });
    collection.insert(idKey(doc), doc);
  }
}

const made = () => store.write(() => store.create('shop', 'things', RawDocument.empty));
const isFull = (error: unknown) => error instanceof StorageError && error.reason === 'full';

describe('the file of a cluster', () => {
  it('shrinks in steps after a drop', () => {
    const collection = made();
    store.write(() => fill(collection, 0, 2_000));
    store.write(() => store.drop(collection));
    let steps = 1;
    while (store.giveBack()) steps++;
    const { size } = statSync(join(dir, FILE_NAME));
    assert.ok(size < 4 * MB, `${size} bytes`);
    assert.ok(steps > 1);
    assert.equal(store.giveBack(), false);
  });

  it('that cannot grow rejects writes and serves reads, until there is space again', () => {
    const collection = made();
    store.write(() => fill(collection, 0, 100));
    const { last } = store.oplog;
    store.limit(5 * MB);
    assert.throws(() => store.write(() => fill(collection, 100, 2_000)), isFull);
    assert.equal(collection.documents, 100);
    assert.equal(store.oplog.last, last);
    assert.ok(collection.find(idKey(RawDocument.from({ _id: 99 }))));
    assert.equal(collection.find(idKey(RawDocument.from({ _id: 100 }))), undefined);
    store.limit(100 * MB);
    store.write(() => fill(collection, 100, 200));
    assert.equal(collection.documents, 200);
  });
});
