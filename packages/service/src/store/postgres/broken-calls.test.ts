import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDatabase } from '@portolan/test-support/databases';
import { failures, startPostgresProxy } from '@portolan/test-support/postgres-proxy';
import { scopeOf } from '@portolan/test-support/service';
import { StoreError } from '../errors.ts';
import type { Store } from '../store.ts';
import { openTestStore } from '../testing.ts';
import { migrations, type Tables } from './testing.ts';

const add = (store: Store, name: string) =>
  store.write(async (tx) => {
    const ships = tx.from<Tables>();
    await ships.selectFrom('ship').selectAll().where('name', '=', name).execute();
    await ships.insertInto('ship').values({ name }).execute();
  });

/**
 * The expected error of a write for each kind of failure. After the error `unavailable`, the caller does not know
 * whether the write was committed.
 */
const ends: Readonly<Record<(typeof failures)[number], string>> = {
  before: 'unavailable',
  after: 'unavailable',
  delayed: 'done',
  '53100': 'full',
  '40001': 'done',
  '57014': 'unavailable',
};

test('whichever call of a write fails, the write happens completely or not at all, and the next one succeeds', async (t) => {
  const scope = scopeOf(t);
  const database = await emptyDatabase.postgres(t);
  assert.ok('url' in database);
  const proxy = await startPostgresProxy(database.url);
  scope.after(() => proxy.close());
  const store = await openTestStore(scope, { url: proxy.url }, { migrations });
  const names = async () => {
    const rows = await store.read((tx) => tx.from<Tables>().selectFrom('ship').selectAll().execute());
    return rows.map(({ name }) => name);
  };
  // This plan breaks nothing: it only counts the calls.
  proxy.plan({ at: Number.POSITIVE_INFINITY, of: 'all', failure: 'before' });
  await add(store, 'first');
  const { all: calls, commits } = proxy.calls;
  assert.ok(calls >= 4 && commits === 1, `${calls} calls`);
  for (const failure of failures)
    for (let at = 1; at <= calls; at++) {
      const name = `${failure} ${at}`;
      proxy.plan({ at, of: 'all', failure });
      const end = await add(store, name).then(
        () => 'done',
        (error) => (error instanceof StoreError ? error.kind : String(error)),
      );
      assert.equal(proxy.endPlan(), true, name);
      await proxy.settled();
      const isDone = ends[failure] === 'done' || (failure === 'after' && at === calls);
      assert.deepEqual([end, (await names()).includes(name)], [ends[failure], isDone], name);
      await add(store, `behind ${name}`);
    }
});
