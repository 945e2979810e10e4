import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { emptyDatabase } from '@portolan/test-support/databases';
import { sql } from 'kysely';
import type { Migration, Store } from '../index.ts';
import { openTestStore } from '../testing.ts';

interface Tables {
  harbour: { id: string; name: string };
  ship: { id: string; harbour_id: string };
  cargo: { ship_id: string };
  pilot: { id: string };
}

const tables: Migration = {
  number: 900,
  name: 'harbours',
  async up(schema) {
    await schema.run('CREATE TABLE harbour (id {text} PRIMARY KEY, name {text} NOT NULL) {strict}');
    const inHarbour = 'harbour_id {text} NOT NULL REFERENCES harbour (id) ON DELETE CASCADE';
    await schema.run(`CREATE TABLE ship (id {text} PRIMARY KEY, ${inHarbour}) {strict}`);
    const onShip = 'ship_id {text} NOT NULL REFERENCES ship (id) ON DELETE CASCADE';
    await schema.run(`CREATE TABLE cargo (${onShip}) {strict}`);
    await schema.run('CREATE TABLE pilot (id {text} PRIMARY KEY) {strict}');
  },
};

async function harbours(t: TestContext): Promise<Required<Store>> {
  const store = await openTestStore(t, await emptyDatabase.sqlite(t), { migrations: [tables] });
  await store.write(async (tx) => {
    const db = tx.from<Tables>();
    await db.insertInto('harbour').values({ id: 'h', name: 'Lorient' }).execute();
    await db.insertInto('ship').values({ id: 's', harbour_id: 'h' }).execute();
    await db.insertInto('cargo').values({ ship_id: 's' }).execute();
  });
  assert.ok(store.watch);
  return store as Required<Store>;
}

const cargo = (store: Required<Store>) =>
  store.watch((tx) => tx.from<Tables>().selectFrom('cargo').selectAll().execute());

test('a read stays valid until its table changes', async (t) => {
  const store = await harbours(t);
  const read = await cargo(store);
  assert.deepEqual([read.value, read.unchanged()], [[{ ship_id: 's' }], true]);
  await store.write((tx) => tx.from<Tables>().insertInto('pilot').values({ id: 'p' }).execute());
  assert.equal(read.unchanged(), true);
  await store.write((tx) => tx.from<Tables>().insertInto('cargo').values({ ship_id: 's' }).execute());
  assert.equal(read.unchanged(), false);
});

test('cascading deletes count as changes of the dependent tables', async (t) => {
  const store = await harbours(t);
  const read = await cargo(store);
  await store.write((tx) => sql`DELETE FROM HARBOUR`.execute(tx.from()));
  assert.equal(read.unchanged(), false);
  assert.deepEqual((await cargo(store)).value, []);
});

test('a change counts only from the end of its transaction', async (t) => {
  const store = await harbours(t);
  const read = await cargo(store);
  const undone = store.write(async (tx) => {
    await tx.from<Tables>().insertInto('cargo').values({ ship_id: 's' }).execute();
    assert.equal(read.unchanged(), true);
    throw new Error('undone');
  });
  await assert.rejects(undone, /undone/);
  assert.deepEqual((await cargo(store)).value, [{ ship_id: 's' }]);
});

test('the first of several statements determines the state that was read', async (t) => {
  const store = await harbours(t);
  const read = await store.watch(async (tx) => {
    const query = tx.from<Tables>().selectFrom('cargo').selectAll();
    await query.execute();
    await store.write((writing) =>
      writing.from<Tables>().insertInto('cargo').values({ ship_id: 's' }).execute(),
    );
    return query.execute();
  });
  assert.equal(read.unchanged(), false);
});
