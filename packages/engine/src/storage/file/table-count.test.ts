import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { RawDocument } from '../../bson/raw.ts';
import { ClusterStore } from '../cluster-store.ts';
import { Connection } from './connection.ts';
import { FILE_NAME } from './format.ts';

const source = { now: () => 1_700_000_000_000, term: () => 1 };
const spec = RawDocument.from({ v: 2, key: { a: 1 }, name: 'a' });

describe('a file with very many tables', () => {
  const dir = mkdtempSync(join(tmpdir(), 'tables-'));
  let store: ClusterStore;
  before(() => {
    ClusterStore.open(dir, systemRandom(), source).close();
    const connection = new Connection(join(dir, FILE_NAME));
    // Rows without tables, because creating the tables takes seconds.
    connection.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT 12000)
      INSERT INTO indexes (collection, spec) SELECT 1000 + n, x'00' FROM numbers`);
    connection.close();
    store = ClusterStore.open(dir, systemRandom(), source);
  });
  after(() => {
    store.close();
    rmSync(dir, { recursive: true });
  });

  it('is opened without parsing the definitions of all its indexes', () => {
    assert.deepEqual(store.databases(), ['local']);
  });

  it('accepts no further collection or index of a client, but those of internal work', () => {
    store.write(() => store.create('shop', 'birds', RawDocument.empty));
    const { running } = store;
    running.operation = { isStrict: false, progress: undefined, expires: 0, memory: { bytes: 0 } };
    try {
      const refused = { code: 8000, message: /already using 120\d\d collections and indexes of 12000/ };
      assert.throws(() => store.write(() => store.create('shop', 'fish', RawDocument.empty)), refused);
      assert.throws(() => store.write(() => store.collection('shop', 'birds')?.createIndex(spec)), refused);
    } finally {
      running.operation = undefined;
    }
    assert.equal(store.collection('shop', 'fish'), undefined);
    store.write(() => store.collection('shop', 'birds')?.createIndex(spec));
    assert.equal(store.collection('shop', 'birds')?.indexes.length, 1);
  });
});
