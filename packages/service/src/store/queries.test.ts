import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type DatabaseLocation, onEachDatabase } from '@portolan/test-support/databases';
import type { Kysely } from 'kysely';
import { fetchPage, type PageRange } from './page.ts';
import { prepared, preparedInsert } from './prepared.ts';
import type { Migration } from './store.ts';
import { openTestStore } from './testing.ts';

interface Tables {
  word: { id: string; length: number };
}

const migrations: readonly Migration[] = [
  {
    number: 900,
    name: 'words',
    up: (schema) => schema.run('CREATE TABLE word (id {text} PRIMARY KEY, length {int64} NOT NULL) {strict}'),
  },
];

async function dictionary(t: TestContext, database: DatabaseLocation, words: readonly string[]) {
  const store = await openTestStore(t, database, { migrations });
  const rows = words.map((id) => ({ id, length: id.length }));
  await store.write((tx) => tx.from<Tables>().insertInto('word').values(rows).execute());
  return store;
}

onEachDatabase(
  'a prepared query is built once, and runs with the values of each call',
  async (t, database) => {
    const store = await dictionary(t, database, ['a', 'bb', 'cc', 'ddd']);
    let built = 0;
    const longer = prepared((db: Kysely<Tables>, than: { length: number; limit: number; id: string }) => {
      built++;
      const words = db.selectFrom('word').select('id').where('length', '>=', than.length).orderBy('id');
      return words.where('length', '>', 0).where('id', '<>', than.id).limit(than.limit);
    });
    const find = (length: number, limit: number, id = '') =>
      store.read(async (tx) => (await longer.all(tx, { length, limit, id })).map((row) => row.id));
    assert.deepEqual(await find(2, 10), ['bb', 'cc', 'ddd']);
    assert.deepEqual(await find(2, 1, 'bb'), ['cc']);
    assert.deepEqual(await find(9, 1), []);
    assert.equal(await store.read((tx) => longer.first(tx, { length: 9, limit: 1, id: '' })), undefined);
    assert.equal(built, 1);
  },
);

onEachDatabase('a prepared change returns the number of changed rows', async (t, database) => {
  const store = await dictionary(t, database, ['a', 'b', 'cc']);
  const shorten = prepared((db: Kysely<Tables>, to: { length: number }) =>
    db.updateTable('word').set({ length: to.length }).where('length', '>', to.length),
  );
  const run = (length: number) => store.write((tx) => shorten.run(tx, { length }));
  assert.deepEqual([await run(1), await run(0), await run(0)], [1, 3, 0]);
});

onEachDatabase('a prepared insertion takes lists of any length', async (t, database) => {
  const store = await dictionary(t, database, ['a']);
  let built = 0;
  const insert = preparedInsert((db: Kysely<Tables>, rows: readonly Tables['word'][]) => {
    built++;
    return db.insertInto('word').values(rows);
  });
  const add = (...words: string[]) =>
    store.write((tx) =>
      insert(
        tx,
        words.map((id) => ({ id, length: id.length })),
      ),
    );
  const many = Array.from({ length: 40 }, (_, index) => `word ${index + 10}`);
  for (const words of [[], ['bb'], ['ccc', 'dd'], ['ee', 'f'], many]) await add(...words);
  const rows = await store.read((tx) => tx.from<Tables>().selectFrom('word').selectAll().execute());
  const expected = ['a', 'bb', 'ccc', 'dd', 'ee', 'f', ...many].map((id) => ({ id, length: id.length }));
  assert.deepEqual(
    rows.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    expected.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  );
  assert.equal(built, 3);
});

onEachDatabase('a prepared query without one of its values is rejected', async (t, database) => {
  const store = await dictionary(t, database, ['a']);
  const byId = prepared((db: Kysely<Tables>, of: { id: string }) =>
    db.selectFrom('word').selectAll().where('id', '=', of.id),
  );
  await assert.rejects(
    store.read((tx) => byId.all(tx, {} as { id: string })),
    {
      message: 'The prepared query has no value id',
    },
  );
});

onEachDatabase('pages continue by key or by number, in both directions', async (t, database) => {
  const words = ['a', 'b', 'c', 'd', 'e'];
  const store = await dictionary(t, database, words);
  const page = (range: Partial<PageRange>, direction?: 'desc') =>
    store.read(async (tx) => {
      const query = tx.from<Tables>().selectFrom('word').select('id').where('length', '=', 1);
      const { rows, next } = await fetchPage(
        query,
        'id',
        { itemsPerPage: 2, pageNum: 1, ...range },
        direction,
      );
      return [rows.map(({ id }) => id).join(''), next];
    });
  assert.deepEqual(await page({}), ['ab', 'b']);
  assert.deepEqual(await page({ after: 'b' }), ['cd', 'd']);
  assert.deepEqual(await page({ after: 'd', pageNum: 3 }), ['e', undefined]);
  assert.deepEqual(await page({ pageNum: 2 }), ['cd', 'd']);
  assert.deepEqual(await page({ pageNum: 3 }), ['e', undefined]);
  assert.deepEqual(await page({ pageNum: 4 }), ['', undefined]);
  assert.deepEqual(await page({ itemsPerPage: 5 }), ['abcde', undefined]);
  assert.deepEqual(await page({}, 'desc'), ['ed', 'd']);
  assert.deepEqual(await page({ after: 'd' }, 'desc'), ['cb', 'b']);
});
