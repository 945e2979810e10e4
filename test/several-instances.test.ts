import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { bearer, type Client, digest, fetchToken } from './support/client.ts';
import { challengeIn, digestHeader } from './support/digest.ts';
import { allowAccess, driverFor, LONG_TIMEOUTS } from './support/drivers.ts';
import { expectEverywhere } from './support/everywhere.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import type { Reply } from './support/http.ts';
import { startPostgres } from './support/postgres.ts';
import { own } from './support/setups.ts';
import {
  type ClusterDocument,
  clusterBody,
  idle,
  type ListDocument,
  newOrganization,
  newProject,
  uniqueName,
} from './support/stage.ts';
import { withClockWrongBy } from './support/wrong-clocks.ts';

/** Loopback addresses stand for machines, each with a service, an engine host and its own clock. */
const machines = [
  { address: '127.0.0.1', wrongBy: 0 },
  { address: '127.0.0.2', wrongBy: 5000 },
  { address: '127.0.0.3', wrongBy: -5000 },
];
/** The highest limit that a project may have. */
const MAX_ENTRIES = 1_000;
/**
 * The number of entries that each writer adds. It leaves room below the limit, because entries whose response was lost
 * and the entry for the driver count, too.
 */
const ENTRIES_PER_WRITER = Math.floor(MAX_ENTRIES / machines.length) - 10;
/**
 * The pause of a writer between two writes. It is short at first, so that writes are under way during every step. Later
 * it is long, so that a writer does not reach its number of entries while a busy machine restarts the instances.
 */
const pauseAfter = (count: number) => (count < 100 ? 100 : 1_000);
/** A nonce is valid for a minute. It is used for a shorter time here, because the clocks of the instances differ. */
const NONCE_MS = 40_000;
/** The largest difference between two clocks. */
const MAX_WRONG_MS = 10_000;
const server = await startPostgres();
after(() => server.stop());
await inServer('CREATE DATABASE several');

async function inServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** Resolves with the reply, or with undefined if the connection broke. */
const orNothing = (call: Promise<Reply>): Promise<Reply | undefined> => call.catch(() => undefined);

own.onSetup(
  'PostgreSQL, two instances',
  'three instances whose clocks differ',
  (setup) => {
    const each = <T>(run: (client: Client, index: number) => Promise<T>): Promise<T[]> =>
      Promise.all(setup.instances.map((_, index) => run(setup.accountAt(index), index)));
    const at = (index: number) => setup.accountAt(index % machines.length);

    test('return writes, changes and removals of other instances at once', async () => {
      const project = await newProject(setup);
      const users = `${project}/databaseUsers`;
      for (const [index] of machines.entries()) {
        const username = `sailor-${index}`;
        const roles = [{ roleName: 'read', databaseName: 'harbour' }];
        const body = { username, password: 'a compass and a chart', databaseName: 'admin', roles };
        const path = `${users}/admin/${username}`;
        expectStatus(await at(index).post(users, body), 201);
        for (const reply of await each((client) => client.get(path))) expectStatus(reply, 200);
        expectStatus(
          await at(index + 1).patch(path, { roles: [{ ...roles[0], databaseName: 'port' }] }),
          200,
        );
        for (const reply of await each((client) => client.get(path)))
          assert.deepEqual(expectStatus<{ roles: unknown }>(reply, 200).roles, [
            { roleName: 'read', databaseName: 'port' },
          ]);
        for (const reply of await each((client) => client.post(users, body))) expectStatus(reply, 409);
        expectStatus(await at(index + 2).delete(path), 204);
        for (const reply of await each((client) => client.get(path))) expectStatus(reply, 404);
      }
    });

    test('refuse a revoked key or token after one second', async () => {
      const { id, key } = await newOrganization(setup, 'ORG_OWNER');
      const { keyId, pair } = await newOrganization(setup, 'ORG_OWNER');
      const byKey = setup.clientWith(digest(pair));
      const account = { name: 'a', description: 'a', roles: ['ORG_OWNER'], secretExpiresAfterHours: 8 };
      const made = await key.post(`/orgs/${id}/serviceAccounts`, account);
      const { clientId, secrets } = expectStatus<{ clientId: string; secrets: [{ secret: string }] }>(
        made,
        201,
      );
      const [first, second] = setup.connections;
      assert.ok(first && second);
      const token = await fetchToken(first, clientId, secrets[0].secret);
      for (const secret of [token, secrets[0].secret]) setup.keepOutOfLogs(secret);
      const byToken = setup.clientWith(bearer(token));
      for (const _ of machines)
        for (const client of [byKey, byToken]) expectStatus(await client.get('/'), 200);
      const revoked = await second.send({
        method: 'POST',
        target: '/api/oauth/revoke',
        headers: {
          authorization: `Basic ${btoa(`${clientId}:${secrets[0].secret}`)}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: `token=${token}`,
      });
      assert.equal(revoked.status, 200);
      await expectEverywhere(setup, { client: byToken, path: '/' }, (status) => status === 401);
      const keyOwner = (await byKey.get('/orgs')).json<ListDocument<{ id: string }>>().results[0]?.id;
      expectStatus(
        await byKey.post(`/orgs/${keyOwner}/apiKeys`, { desc: 'other', roles: ['ORG_OWNER'] }),
        200,
      );
      expectStatus(await byKey.delete(`/orgs/${keyOwner}/apiKeys/${keyId}`), 204);
      // Each 401 counts as a failed attempt. Five of them in a minute cause a 429, but only for this key.
      const isKeptOut = (status: number) => status === 401 || status === 429;
      await expectEverywhere(setup, { client: byKey, path: '/' }, isKeptOut);
    });

    test('accept each count of a nonce once', async () => {
      const [first, second, third] = setup.connections;
      assert.ok(first && second && third);
      const asked = { method: 'GET', target: '/api/service/v2' };
      /** Returns the statuses of requests with one nonce. Uses a new key, since failed requests are limited per key. */
      const used = async () => {
        const { pair } = await newOrganization(setup, 'ORG_OWNER');
        const begun = performance.now();
        const challenge = challengeIn((await first.send(asked)).headers, 'MD5');
        assert.ok(challenge);
        const sending = (count: number) => ({
          ...asked,
          headers: { authorization: digestHeader(pair, challenge, { ...asked, count }) },
        });
        const once = sending(1);
        const sent = [second, first, second, third].map((connection) => ({ connection, sending: once }));
        const statuses = [];
        for (const one of [...sent, { connection: third, sending: sending(2) }])
          statuses.push((await one.connection.send(one.sending)).status);
        return { statuses, milliseconds: performance.now() - begun };
      };
      let one = await used();
      // Try again if the machine was so busy that the nonce may have expired.
      while (one.milliseconds > NONCE_MS) one = await used();
      assert.deepEqual(one.statuses, [200, 401, 401, 401, 200]);
    });

    test('share the rate limits', async () => {
      const project = await newProject(setup);
      const LIMIT = 100;
      /** The number of rounds after which the test fails. */
      const MOST = 10;
      const ask = (index: number) => at(index).get(`${project}/events`);
      /** Sends more requests to the instances than the limit for a minute permits, and then one more. */
      const round = async () => {
        const asked = await Promise.all(Array.from({ length: LIMIT + 20 }, (_, index) => ask(index)));
        const last = await ask(1);
        return { allowed: [...asked, last].filter(({ status }) => status === 200).length, last };
      };
      const begun = performance.now();
      let { allowed, last } = await round();
      // If a new minute begins during a round, its last request may be permitted, and the round is repeated. All rounds
      // together must not exceed the limits of the minutes in which they ran.
      for (
        let count = 1;
        allowed !== LIMIT && (count === 1 || last.status !== 429) && count < MOST;
        count++
      ) {
        const next = await round();
        allowed += next.allowed;
        last = next.last;
        const minutes = 1 + Math.ceil((performance.now() - begun + MAX_WRONG_MS) / 60_000);
        assert.ok(allowed <= minutes * LIMIT, `${allowed} requests within ${minutes} minutes`);
      }
      assert.ok(allowed >= LIMIT, `${allowed}`);
      expectFault(last, 429, 'RATE_LIMITED', [`/api/service/v2${project}/events`, LIMIT, 1]);
    });

    test('neither lose nor repeat changes while instances are killed and the database is restarted', async (t) => {
      const project = await newProject(setup);
      const clusters = `${project}/clusters`;
      for (const [index] of machines.entries())
        expectStatus(await at(index).post(clusters, clusterBody(`c${index}`)), 201);
      const paths = machines.map((_, index) => `${clusters}/c${index}`);
      for (const path of paths) await idle(setup.account, path);
      const places = await Promise.all(paths.map((path) => idle(setup.account, path)));
      for (const [index, { connectionStrings }] of places.entries())
        assert.match(connectionStrings.standard ?? '', new RegExp(`//${machines[index]?.address}:`));
      await allowAccess(setup, project, paths[1] ?? '');
      const driver = await driverFor(setup, paths[1] ?? '', LONG_TIMEOUTS);
      t.after(() => driver.close());

      const acknowledged: string[] = [];
      let isWriting = true;
      const entries = `${project}/accessList`;
      const limit = `${project}/limits/platform.project.security.networkAccess.entries`;
      expectStatus(await setup.account.patch(limit, { value: MAX_ENTRIES }), 200);
      const writers = machines.map(async (_, machine) => {
        // Write an entry again until it is acknowledged, since the database may be away for many attempts.
        for (let count = 0; isWriting && count < ENTRIES_PER_WRITER; ) {
          const ipAddress = `10.${machine}.${count >> 8}.${count & 255}`;
          const reply = await orNothing(at(machine).post(entries, [{ ipAddress }]));
          if (reply?.status === 201) {
            acknowledged.push(ipAddress);
            count++;
          } else if (reply) expectFault(reply, 503, 'SERVICE_UNAVAILABLE');
          await setTimeout(pauseAfter(count));
        }
      });
      const changes = paths.map((path, index) => orNothing(at(index).patch(path, { replicationFactor: 5 })));
      await server.restart();
      await until(
        'a write after the restart',
        async () => acknowledged.length,
        (count) => count > 10,
      );
      await setup.instances[1]?.kill();
      const [, , third] = setup.instances;
      await third?.kill();
      await Promise.all(changes);
      const before = acknowledged.length;
      await until(
        'a write by who is left',
        async () => acknowledged.length,
        (count) => count > before,
      );
      await setup.start();
      isWriting = false;
      await Promise.all(writers);

      for (const client of machines.map((_, index) => at(index))) {
        const pages = await Promise.all(
          [1, 2].map((page) => client.get(`${entries}?itemsPerPage=500&pageNum=${page}`)),
        );
        const lists = pages.map((page) => expectStatus<ListDocument<{ ipAddress?: string }>>(page, 200));
        const there = lists.flatMap(({ results }) => results.map(({ ipAddress = '' }) => ipAddress));
        assert.equal(new Set(there).size, there.length);
        for (const { totalCount } of lists) assert.equal(totalCount, there.length);
        assert.deepEqual(
          acknowledged.filter((address) => !there.includes(address)),
          [],
        );
      }
      const isDone = ({ stateName, connectionStrings }: ClusterDocument) =>
        stateName === 'IDLE' && [3, 5].includes(connectionStrings.standard?.match(/:\d+/g)?.length ?? 0);
      const all = async () =>
        expectStatus<ListDocument<ClusterDocument>>(await setup.account.get(clusters), 200).results;
      await until('every cluster at rest', all, (found) => found.length === 3 && found.every(isDone));
      await driver
        .db('harbour')
        .collection('ports')
        .insertOne({ name: uniqueName('port') });
      const path = `${project}/events?eventType=CLUSTER_CREATED&eventType=CLUSTER_READY&itemsPerPage=500`;
      const { results } = expectStatus<ListDocument>(await setup.account.get(path), 200);
      assert.equal(results.length, 6, 'each cluster was made once');
    });
  },
  {
    instances: machines.length,
    database: server.url.replace(/\/postgres$/, '/several'),
    instanceSettings: machines.map(({ address }) => ({
      listen: `${address}:0`,
      'engine-listen': address,
      'control-listen': `${address}:0`,
    })),
    instanceEnvironments: machines.map(({ wrongBy }) => withClockWrongBy(wrongBy)),
    // The services log these errors while the database is unavailable.
    expectedErrors: /./,
  },
);
