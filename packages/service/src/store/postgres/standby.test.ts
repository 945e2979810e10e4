import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machineClock } from '@portolan/foundation/clock';
import { poll } from '@portolan/foundation/wait';
import { startReplicatedPostgres } from '@portolan/test-support/postgres';
import { StoreError } from '../errors.ts';
import type { Store } from '../store.ts';
import { type Ending, openTestStore } from '../testing.ts';
import { inspectPostgres } from './inspect.ts';
import { add, migrations, names } from './testing.ts';

const machine = machineClock();

const opened = (t: Ending, url: string) => openTestStore(t, { url }, { migrations });
/** Writes until a write succeeds. Each write before that must fail with an error of one of these kinds. */
async function addAtLast(store: Store, name: string, ...kinds: string[]): Promise<void> {
  const done = await poll(machine, { step: 100, limit: 240_000 }, async () => {
    try {
      await add(store, name);
      return true;
    } catch (error) {
      assert.ok(error instanceof StoreError && kinds.includes(error.kind), String(error));
      return undefined;
    }
  });
  assert.equal(done, true);
}

test('a store uses the server that accepts writes, whatever the order of the hosts', async (t) => {
  const servers = await startReplicatedPostgres('harbour');
  t.after(() => servers.stop());
  const { host, pathname } = new URL(servers.standby);
  const reversed = servers.url.replace(/@.*$/, `@${host},${new URL(servers.primary).host}${pathname}`);
  const store = await opened(t, reversed);
  await Promise.all(['Anna', 'Berta', 'Clara', 'Dora', 'Emma'].map((name) => add(store, name)));
  assert.equal((await names(store)).length, 5);
  assert.equal((await inspectPostgres(reversed, 60_000)).host, new URL(servers.primary).host);
  await assert.rejects(opened(t, `${servers.url}?target_session_attrs=standby`), { kind: 'configuration' });
  // As in libpq, the search for a server ends when a server rejects the password.
  const wrong = new URL(servers.primary);
  wrong.password = 'wrong';
  await assert.rejects(opened(t, servers.url.replace(/:[^:@]+@/, ':wrong@')), {
    kind: 'configuration',
    message: `The database harbour at ${new URL(servers.primary).host}, ${host} rejected the connection: password authentication failed for user "portolan"`,
  });

  await servers.killPrimary();
  await assert.rejects(opened(t, servers.url), {
    kind: 'unavailable',
    message: new RegExp(
      `^The database harbour at ${new URL(servers.primary).host}, ${host} cannot be reached: .+; ${host}: it is read-only$`,
    ),
  });
  await servers.promote();
  await addAtLast(store, 'Frieda', 'unavailable', 'readOnly');
  assert.deepEqual(await names(store), ['Anna', 'Berta', 'Clara', 'Dora', 'Emma', 'Frieda']);
});
