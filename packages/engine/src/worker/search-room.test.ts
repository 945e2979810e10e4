import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testClock } from '@portolan/foundation/testing';
import { BuildMemory } from '../search/follow/build-memory.ts';
import { SearchFollower } from '../search/follow/follower.ts';
import { TestCluster } from './testing.ts';
import { TestDisk, TestSearch } from './testing-search.ts';

const definition = { mappings: { dynamic: true } };
const FULL = 'the search indexes of the cluster are larger than its disk';

/** Documents with many different words, which take much space in an index. */
const documents = (count: number) =>
  Array.from({ length: count }, (_, _id) => ({
    _id,
    t: Array.from({ length: 200 }, (_, at) => `w${_id * 200 + at}`).join(' '),
  }));

const stateOf = (search: TestSearch, name: string) => {
  const all = search.cluster.run({
    aggregate: 'docs',
    pipeline: [{ $listSearchIndexes: { name } }],
    cursor: {},
  });
  const [{ status, queryable, statusDetail }] = all.cursor.firstBatch;
  const { message } = statusDetail[0].mainIndex;
  return { status, queryable, ...(message !== undefined && { message }) };
};

test('a first build fails if the file becomes larger than the disk of the cluster, and others continue', (t) => {
  const search = new TestSearch([{ _id: 'first', t: 'harbour' }], definition);
  t.after(() => search.close());
  search.cluster.run({ insert: 'docs', documents: documents(50) });
  search.settle();
  const mostBytes = 2 * search.size();
  search.most = mostBytes;
  search.cluster.run({ insert: 'other', documents: documents(2_000) });
  const indexes = [{ name: 'large', definition }];
  assert.equal(search.cluster.run({ createSearchIndexes: 'other', indexes }).ok, 1);
  search.settle();
  const [large] = search.cluster.run({ listSearchIndexes: 'other' }).cursor.firstBatch;
  assert.deepEqual(
    [large.status, large.queryable, large.statusDetail[0].mainIndex.message],
    ['FAILED', false, FULL],
  );
  assert.ok(search.size() <= mostBytes, `${search.size()} bytes`);
  search.cluster.run({ insert: 'docs', documents: [{ _id: 'later', t: 'harbour' }] });
  search.settle();
  assert.deepEqual(search.ids({ text: { query: 'harbour', path: 't' } }).sort(), ['first', 'later']);
});

test('updates stop while the file is larger than the disk of the cluster', (t) => {
  const search = new TestSearch([{ _id: 'first', t: 'harbour' }], definition);
  t.after(() => search.close());
  search.most = 1;
  search.cluster.run({ insert: 'docs', documents: [{ _id: 'later', t: 'harbour' }] });
  search.settle();
  assert.deepEqual(stateOf(search, 'default'), { status: 'STALE', queryable: true, message: FULL });
  assert.deepEqual(search.ids({ text: { query: 'harbour', path: 't' } }), ['first']);
  search.most = Number.POSITIVE_INFINITY;
  search.settle();
  assert.deepEqual(stateOf(search, 'default'), { status: 'READY', queryable: true });
  assert.deepEqual(search.ids({ text: { query: 'harbour', path: 't' } }).sort(), ['first', 'later']);
});

test('the builds of many indexes together have a maximum of memory', (t) => {
  const cluster = new TestCluster();
  t.after(() => cluster.remove());
  cluster.run({ insert: 'docs', documents: documents(500) });
  const indexes = Array.from({ length: 12 }, (_, at) => ({ name: `index${at}`, definition }));
  assert.equal(cluster.run({ createSearchIndexes: 'docs', indexes }).ok, 1);
  const most = 40_000_000;
  let held: () => readonly number[] = () => [];
  class Watched extends BuildMemory {
    override add(holder: () => readonly number[]): () => void {
      held = holder;
      return super.add(holder);
    }
  }
  const follower = new SearchFollower(cluster.dir, undefined, new TestDisk(), testClock(), new Watched(most));
  let highest = 0;
  while (follower.step() === 'busy')
    highest = Math.max(
      highest,
      held().reduce((sum, each) => sum + each, 0),
    );
  follower.close();
  assert.ok(highest > most / 4 && highest < 2 * most, `${highest} bytes`);
  for (const { status } of cluster.run({ listSearchIndexes: 'docs' }).cursor.firstBatch)
    assert.equal(status, 'READY');
});
