import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { openTestStore } from '../../store/testing.ts';
import { migrations } from './migrations.ts';
import { keepHosts, releaseHosts } from './rows.ts';

const LEASE_MS = 10_000;

onEachDatabase(
  "each host has one keeper, and gets another one when the keeper's lease has ended",
  async (t, database) => {
    let now = 1_000_000;
    const store = await openTestStore(t, database, { migrations, leaseClock: () => now });
    const keeping = async (keeper: string, ...hosts: string[]) =>
      (
        await store.write((tx) => keepHosts(tx, { keeper, hosts: [keeper, ...hosts], lease: LEASE_MS }))
      ).toSorted();
    assert.deepEqual(await keeping('a', 'adopted'), ['a', 'adopted']);
    // Each instance is the keeper of its own host. `b` cannot take over the other hosts, since the leases of
    // `a` have not expired.
    assert.deepEqual(await keeping('b', 'a', 'adopted'), ['b']);
    now += LEASE_MS / 2;
    assert.deepEqual(await keeping('a', 'b', 'adopted'), ['a', 'adopted']);
    now += LEASE_MS;
    assert.deepEqual(await keeping('b', 'a', 'adopted'), ['b']);
    now += 1;
    assert.deepEqual(await keeping('b', 'a', 'adopted'), ['a', 'adopted', 'b']);
    // The instance of the host `a` runs again.
    assert.deepEqual(await keeping('a', 'b', 'adopted'), ['a']);
    assert.deepEqual(await keeping('b', 'a', 'adopted'), ['adopted', 'b']);
    await store.write((tx) => releaseHosts(tx, 'b'));
    now += 1;
    assert.deepEqual(await keeping('a', 'b', 'adopted'), ['a', 'adopted', 'b']);
  },
);
