import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { systemRandom } from '../../../../runtime/random.ts';
import { RawDocument } from '../../language/raw.ts';
import { ClusterStore } from '../cluster-store.ts';
import { idKey } from '../id-key.ts';

let dir: string;
let store: ClusterStore;
const source = { now: () => 1_700_000_000_000, term: () => 1 };

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'oplog-'));
  store = ClusterStore.open(dir, systemRandom(), source);
});

afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true });
});

function entries(): RawDocument[] {
  const found: RawDocument[] = [];
  const stream = store.oplog.scan({ kind: 'natural', reverse: false });
  for (let record = stream.next(); record; record = stream.next()) found.push(record.doc);
  return found;
}

describe('an oplog that grows beyond its size', () => {
  it('loses its oldest entries and knows its size', () => {
    store.oplog.limit = 20_000;
    const collection = store.write(() => store.create('shop', 'things', RawDocument.empty));
    for (let batch = 0; batch < 5; batch++) {
      store.write(() => {
        for (let i = 0; i < 40; i++) {
          const doc = RawDocument.from({ _id: batch * 40 + i, pad: 'x'.repeat(300) });
          collection.insert(idKey(doc), doc);
        }
      });
    }
    const kept = entries();
    const bytes = kept.reduce((sum, { length }) => sum + length, 0);
    assert.ok(bytes <= 20_000 && bytes > 18_000, `${bytes}`);
    assert.equal(kept.at(-1)?.toObject().o._id, 199);
    assert.deepEqual([store.oplog.bytes, store.oplog.documents], [bytes, kept.length]);
    store.close();
    store = ClusterStore.open(dir, systemRandom(), source);
    assert.deepEqual([store.oplog.bytes, store.oplog.documents], [bytes, kept.length]);
    assert.equal(collection.documents, 200);
  });
});

describe('a transaction that fails', () => {
  it('takes back its entries and their times', () => {
    const { last } = store.oplog;
    const failure = new Error('no');
    assert.throws(
      () =>
        store.write(() => {
          store.create('shop', 'things', RawDocument.empty);
          throw failure;
        }),
      failure,
    );
    assert.equal(store.oplog.last, last);
    assert.equal(entries().length, 1);
    store.write(() => store.create('shop', 'things', RawDocument.empty));
    assert.ok(store.oplog.last > last);
  });
});
