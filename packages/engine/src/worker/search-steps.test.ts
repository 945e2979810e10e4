import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestSearch } from './testing-search.ts';

const HEAVY = 12;
const WORDS = 20_000;

/** A clock by which every step has taken too long. */
function hurried() {
  let now = 0;
  return { monotonic: () => (now += 1_000) };
}

test('a build of large documents yields within each of them, to other indexes and to closing', (t) => {
  const search = new TestSearch([{ _id: 1, t: 'calm' }], { mappings: { dynamic: true } });
  t.after(() => search.close());
  const { cluster } = search;
  const words = Array.from({ length: WORDS }, (_, at) => `w${at}`).join(' ');
  const documents = Array.from({ length: HEAVY }, (_, _id) => ({ _id, t: `${words} own${_id}` }));
  cluster.run({ insert: 'heavy', documents });
  const indexes = [{ name: 'default', definition: { mappings: { dynamic: true } } }];
  assert.equal(cluster.run({ createSearchIndexes: 'heavy', indexes }).ok, 1);
  search.closeFollower();
  search.clock = hurried();
  const status = () => cluster.run({ listSearchIndexes: 'heavy' }).cursor.firstBatch[0].status;
  const found = (query: string) => {
    const pipeline = [{ $search: { text: { query, path: 't' } } }, { $project: { _id: 1 } }];
    return cluster.run({ aggregate: 'heavy', pipeline, cursor: {} }).cursor.firstBatch;
  };

  // The build begins and is interrupted within a document.
  for (let step = 0; step < 3; step++) assert.equal(search.step(), true);
  search.closeFollower();
  search.step();
  cluster.run({ insert: 'docs', documents: [{ _id: 2, t: 'calm' }] });
  let steps = 0;
  while (search.ids({ text: { query: 'calm', path: 't' } }).length < 2) {
    assert.ok(search.step());
    steps++;
  }
  assert.notEqual(status(), 'READY');
  while (search.step()) steps++;
  assert.ok(steps > HEAVY * (WORDS / 5_000), `${steps} steps`);
  assert.equal(status(), 'READY');
  assert.deepEqual(found(`own${HEAVY - 1}`), [{ _id: HEAVY - 1 }]);
  assert.equal(found(`w${WORDS - 1}`).length, HEAVY);
});
