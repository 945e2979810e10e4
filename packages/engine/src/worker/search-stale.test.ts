import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SEARCH_FILE } from '../search/file/remove-file.ts';
import { Connection } from '../storage/file/connection.ts';
import { StorageError } from '../storage/file/storage-error.ts';
import { TestSearch } from './testing-search.ts';

const definition = { mappings: { dynamic: true } };
const all = { exists: { path: '_id' } };
const word = (query: string) => ({ text: { query, path: 't' } });

function stateOf(search: TestSearch): unknown[] {
  const { status, queryable, statusDetail } = search.described();
  return [status, queryable, statusDetail[0].mainIndex.status, statusDetail[0].mainIndex.message];
}

test('changes that the oplog has lost are read from the collection, while searches are answered', (t) => {
  const documents = Array.from({ length: 800 }, (_, _id) => ({ _id, t: `old${_id % 2}` }));
  const search = new TestSearch(documents, definition);
  t.after(() => search.close());
  const { cluster } = search;
  search.closeFollower();
  cluster.run({ update: 'docs', updates: [{ q: { _id: 7 }, u: { t: 'new' } }] });
  cluster.run({ delete: 'docs', deletes: [{ q: { _id: 8 }, limit: 1 }] });
  cluster.run({ insert: 'docs', documents: [{ _id: 800, t: 'new' }] });
  cluster.configure({ oplogBytes: 1 });
  for (let more = 0; more < 50; more++)
    cluster.run({ insert: 'other', documents: [{ filler: 'x'.repeat(100_000) }] });

  search.step();
  const message = 'changes are no longer in the oplog: the collection is read again';
  assert.deepEqual(stateOf(search), ['STALE', true, 'STALE', message]);
  assert.equal(search.followed()?.stale, message);
  assert.equal(search.ids(word('old1')).length, 400);
  assert.deepEqual(search.ids(word('new')), []);
  // The work is interrupted in the middle, and the data changes.
  search.step();
  search.closeFollower();
  cluster.run({ insert: 'docs', documents: [{ _id: 801, t: 'new' }] });

  search.settle();
  assert.deepEqual(stateOf(search), ['READY', true, 'READY', undefined]);
  assert.equal(search.followed()?.stale, undefined);
  assert.deepEqual(search.ids(word('new')).sort(), [7, 800, 801]);
  assert.equal(search.ids(all).length, 801);
  assert.equal(search.described()['numDocs'], 801n);
});

test('while the disk is full, searches are answered from an index that no longer follows changes', (t) => {
  const search = new TestSearch([{ _id: 1, t: 'old' }], definition);
  t.after(() => search.close());
  search.disk.room = 'little';
  search.cluster.run({ insert: 'docs', documents: [{ _id: 2, t: 'old' }] });
  search.settle();
  assert.deepEqual(search.ids(word('old')), [1, 2]);
  search.disk.room = 'none';
  search.cluster.run({ insert: 'docs', documents: [{ _id: 3, t: 'old' }] });
  search.settle();
  assert.deepEqual(stateOf(search), ['STALE', true, 'STALE', 'the disk is full']);
  assert.deepEqual(search.ids(word('old')), [1, 2]);
  search.disk.room = 'enough';
  search.settle();
  assert.deepEqual(stateOf(search), ['READY', true, 'READY', undefined]);
  assert.deepEqual(search.ids(word('old')), [1, 2, 3]);
});

/** SQLite's limit on the number of pages of a file. */
const MAX_PAGES = 4_294_967_294;

/** Prevents the index file from growing while `isFull` returns true. */
function fillFile(t: TestContext, isFull: () => boolean): void {
  const { exec } = Connection.prototype;
  t.mock.method(Connection.prototype, 'exec', function (this: Connection, sql: string) {
    if (sql === 'BEGIN IMMEDIATE' && basename(this.file) === SEARCH_FILE)
      exec.call(this, `PRAGMA max_page_count = ${isFull() ? 1 : MAX_PAGES}`);
    exec.call(this, sql);
  });
}

test('an index whose file cannot grow is built once it can', (t) => {
  let isFull = false;
  fillFile(t, () => isFull);
  const search = new TestSearch([{ _id: 1, t: 'old' }], definition);
  t.after(() => search.close());
  const documents = Array.from({ length: 500 }, (_, _id) => ({ _id: `n${_id}`, t: `new word${_id}` }));
  search.cluster.run({ insert: 'docs', documents });
  search.cluster.run({
    updateSearchIndex: 'docs',
    name: 'default',
    definition: { ...definition, analyzer: 'lucene.simple' },
  });
  isFull = true;
  for (let times = 0; times < 2; times++) {
    assert.throws(
      () => search.settle(),
      (error) => error instanceof StorageError && error.reason === 'full',
    );
    // Restarts the follower, as the host does.
    search.closeFollower();
    const { status, queryable, statusDetail } = search.described();
    assert.deepEqual([status, queryable, statusDetail[0].mainIndex.status], ['BUILDING', true, 'READY']);
  }
  isFull = false;
  search.settle();
  assert.deepEqual(stateOf(search), ['READY', true, 'READY', undefined]);
  assert.equal(search.ids(word('new')).length, 500);
});

test('the lag counts from the first change that is not indexed, not from the last one that is', (t) => {
  const search = new TestSearch([{ _id: 1, t: 'old' }], definition);
  t.after(() => search.close());
  const lagBehind = (_id: number, quietMs: number) => {
    search.cluster.clock.advance(quietMs);
    search.cluster.run({ insert: 'docs', documents: [{ _id, t: 'new' }] });
    search.step();
    return search.followed()?.lag;
  };
  search.disk.room = 'none';
  assert.equal(lagBehind(2, 3_600_000), 0);
  assert.equal(lagBehind(3, 5_000), 5);
  search.disk.room = 'enough';
  search.settle();
  assert.equal(search.followed()?.lag, 0);
});

test('invalid synonyms are reported when they become so, until they are valid again', (t) => {
  const synonyms = [{ name: 'ports', analyzer: 'lucene.standard', source: { collection: 'words' } }];
  const search = new TestSearch([{ _id: 1, t: 'harbour' }], { ...definition, synonyms });
  t.after(() => search.close());
  const reported = () => {
    search.settle();
    return search.followed()?.synonyms;
  };
  assert.equal(reported(), 'READY');
  const documents = [{ _id: 1, mappingType: 'equivalent', synonyms: [] }];
  search.cluster.run({ insert: 'words', documents });
  assert.equal(reported(), 'FAILED');
  search.cluster.run({ insert: 'other', documents: [{}] });
  assert.equal(reported(), 'FAILED');
  search.cluster.run({
    update: 'words',
    updates: [{ q: {}, u: { $set: { synonyms: ['harbour', 'port'] } } }],
  });
  assert.equal(reported(), 'READY');
});
