import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestSearch } from './testing-search.ts';

const HEAVY = 12;
const WORDS = 20_000;

/** Returns a clock that is so fast that each step uses up its time at once. */
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

test('a long document yields within each of its texts, so that the index of another cluster is ready first', (t) => {
  const hostile = { name: 'addresses', tokenizer: { type: 'uaxUrlEmail' } };
  const grams = { name: 'grams', tokenizer: { type: 'nGram', minGram: 1, maxGram: 10 } };
  const short = { name: 'none', tokenizer: grams.tokenizer, tokenFilters: [{ type: 'length', min: 90 }] };
  const analyzers = [hostile, grams, short];
  const fields = Object.fromEntries(analyzers.map(({ name }) => [name, { type: 'string', analyzer: name }]));
  const first = new TestSearch([{ _id: 0 }], { mappings: { fields }, analyzers });
  t.after(() => first.close());
  const other = new TestSearch([{ _id: 1, t: 'calm' }], { mappings: { dynamic: true } });
  t.after(() => other.close());
  for (const search of [first, other]) {
    search.closeFollower();
    search.clock = hurried();
  }
  const text = `${'a.'.repeat(40_000)} mail@example.com`;
  const document = { _id: 1, addresses: text, grams: text.slice(-10_000), none: text.slice(-10_000) };
  first.cluster.run({ insert: 'docs', documents: [document] });
  other.cluster.run({ insert: 'docs', documents: [{ _id: 2, t: 'calm' }] });

  const found = () => first.ids({ text: { query: 'mail@example.com', path: 'addresses' } });
  let steps = 0;
  while (first.step() && other.step()) steps++;
  assert.deepEqual(other.ids({ text: { query: 'calm', path: 't' } }), [1, 2]);
  assert.deepEqual(found(), []);
  while (first.step()) steps++;
  assert.deepEqual(found(), [1]);
  // The document has 200,000 grams, of which a filter removes half. The grams are processed in batches of 256.
  assert.ok(steps > 150, `${steps} steps`);
});
