import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { emptyDatabase } from '@portolan/test-support/databases';
import { sql } from 'kysely';
import type { Store } from '../store.ts';
import { openTestStore } from '../testing.ts';
import { add, migrations, names, type Tables } from './testing.ts';

async function postgresUrl(t: TestContext): Promise<URL> {
  const database = await emptyDatabase.postgres(t);
  assert.ok('url' in database);
  return new URL(database.url);
}

const opened = (t: TestContext, url: string, poolSize: number) =>
  openTestStore(t, { url, poolSize }, { migrations });

/**
 * Returns a TCP relay to a server. `cut` stops forwarding data without closing connections, as if the machine of the
 * server had lost its network.
 */
async function relayTo(t: TestContext, port: number) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    sockets.add(client.on('error', () => {}));
    if (isCut) return;
    const upstream = connect({ host: '127.0.0.1', port }).on('error', () => client.destroy());
    sockets.add(upstream);
    client.pipe(upstream).pipe(client);
  });
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}

/**
 * Returns the URL of a database with two hosts. The first host is a relay to the server, and the second host is the
 * server itself.
 */
async function byTwoWays(t: TestContext) {
  const direct = await postgresUrl(t);
  const relay = await relayTo(t, Number(direct.port));
  return { url: direct.href.replace(direct.host, `127.0.0.1:${relay.port},${direct.host}`), relay };
}

test('a store leaves a server that does not answer, if another one accepts writes', async (t) => {
  const { url, relay } = await byTwoWays(t);
  const store = await opened(t, url, 4);
  await add(store, 'Anna');
  relay.cut();
  // These writes wait for the server that does not answer, so they may fail. A write that has not got a connection yet
  // continues on the other server.
  const outcomes = await Promise.allSettled(['Berta', 'Clara'].map((name) => add(store, name)));
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') assert.equal(outcome.reason.kind, 'unavailable');
  await add(store, 'Dora');
  const written = ['Berta', 'Clara'].filter((_, index) => outcomes[index]?.status === 'fulfilled');
  assert.deepEqual(await names(store), ['Anna', ...written, 'Dora']);
});

const becomeReadOnly = (store: Store) =>
  store.read((tx) => sql`SET default_transaction_read_only = on`.execute(tx.from()));

test('a transaction runs again if its server has become read-only and the pool finds one that accepts writes', async (t) => {
  const { url } = await byTwoWays(t);
  const store = await opened(t, url, 1);
  await becomeReadOnly(store);
  let runs = 0;
  await store.write(async (tx) => {
    runs++;
    await tx.from<Tables>().insertInto('ship').values({ name: 'Anna' }).execute();
  });
  assert.deepEqual([runs, await names(store)], [2, ['Anna']]);
});

test('a connection that has become read-only is replaced, with one host too', async (t) => {
  const store = await opened(t, (await postgresUrl(t)).href, 1);
  await becomeReadOnly(store);
  await assert.rejects(add(store, 'Anna'), { kind: 'readOnly' });
  await add(store, 'Berta');
  assert.deepEqual(await names(store), ['Berta']);
});
