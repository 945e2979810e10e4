import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { secretBox } from '@portolan/foundation/secret-box';
import { emptyDatabase } from '@portolan/test-support/databases';
import { checkFingerprint } from '../settings.ts';
import type { Migration } from '../store.ts';
import { openTestStore } from '../testing.ts';
import { inspectPostgres } from './inspect.ts';

const random = systemRandom();
const WITHIN_MS = 180_000;

test('reports a database of a newer version or with another key', async (t) => {
  const database = await emptyDatabase.postgres(t);
  assert.ok('url' in database);
  const fault = async (fitting: Parameters<typeof inspectPostgres>[2]) =>
    (await inspectPostgres(database.url, WITHIN_MS, fitting)).fault;
  const box = secretBox(random.bytes(32), random);
  const migration: Migration = { number: 900, name: 'later', up: async () => {} };
  const fitting = { migrations: [migration], fingerprint: box.fingerprint };
  assert.equal(await fault(fitting), undefined, 'an empty database is usable');

  const store = await openTestStore(t, database, { migrations: [migration] });
  assert.equal(await fault(fitting), undefined, 'so is one before the end of the first start');
  await checkFingerprint(store, box);
  assert.equal(await fault(fitting), undefined);
  assert.match((await inspectPostgres(database.url, WITHIN_MS)).version, /^\d+\.\d/);
  assert.equal(await fault({ migrations: [] }), 'was written by a newer version of Portolan');
  const other = secretBox(random.bytes(32), random).fingerprint;
  assert.equal(await fault({ fingerprint: other }), 'was written with another secret key');
});
