import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDatabase, onEachDatabase } from '../../test/support/databases.ts';
import { testClock } from '../runtime/testing.ts';
import { digestHeader, freshNonce, isStale, newKey, openInstance, refused, send } from './testing.ts';

onEachDatabase(
  'five wrong credentials close the door for that key and address until the minute ends',
  async (t, database) => {
    const clock = testClock();
    const instance = await openInstance(t, database, clock);
    const [key, other] = [await newKey(instance), await newKey(instance)];
    const attempt = async (of: object = {}, address = '203.0.113.7') =>
      send(instance, {
        address,
        authorization: digestHeader({ ...key, nonce: await freshNonce(instance), ...of }),
      });
    for (let count = 1; count <= 5; count++) {
      clock.advance(1000);
      await assert.rejects(attempt({ privateKey: 'wrong' }), { status: 401 });
    }
    await assert.rejects(attempt(), {
      status: 429,
      code: 'RATE_LIMITED',
      parameters: ['/api/service/v2/groups', 5, 1],
      headers: { 'Retry-After': '56' },
    });
    await attempt({}, '203.0.113.8');
    await attempt(other);
    clock.advance(55_999);
    await assert.rejects(attempt(), { status: 429 });
    clock.advance(1);
    await attempt();
  },
);

onEachDatabase('guesses sent at once are counted like guesses sent in turn', async (t, database) => {
  const instance = await openInstance(t, database);
  const key = await newKey(instance);
  const nonce = await freshNonce(instance);
  const guess = (nc: number) => digestHeader({ ...key, privateKey: 'wrong', nonce, nc });
  const attempts = Array.from({ length: 20 }, (_, nc) => send(instance, { authorization: guess(nc + 1) }));
  const statuses = (await Promise.allSettled(attempts)).map(
    (result) => 'reason' in result && result.reason.status,
  );
  assert.deepEqual(statuses.toSorted(), [...Array(5).fill(401), ...Array(15).fill(429)]);
});

onEachDatabase('an unknown key is refused like a known one with a wrong secret', async (t, database) => {
  const instance = await openInstance(t, database);
  const unknown = { publicKey: 'nosuchky', privateKey: 'wrong' };
  const authorization = async () => digestHeader({ ...unknown, nonce: await freshNonce(instance) });
  for (let count = 1; count <= 5; count++) {
    assert.equal(isStale(await refused(instance, { authorization: await authorization() })), false);
  }
  await assert.rejects(send(instance, { authorization: await authorization() }), { status: 429 });
});

onEachDatabase(
  'neither requests without credentials nor stale nonces count as wrong',
  async (t, database) => {
    const instance = await openInstance(t, database);
    const key = await newKey(instance);
    const nonce = await freshNonce(instance);
    const authorization = digestHeader({ ...key, nonce });
    await send(instance, { authorization });
    for (let count = 1; count <= 10; count++) {
      await refused(instance);
      await refused(instance, { authorization });
    }
    await send(instance, { authorization: digestHeader({ ...key, nonce, nc: 2 }) });
  },
);

test('wrong credentials are counted over all instances', async (t) => {
  const database = await emptyDatabase.postgres(t);
  const [here, there] = [await openInstance(t, database), await openInstance(t, database)];
  const key = await newKey(here);
  const attempt = async (instance: typeof here, of: object = {}) =>
    send(instance, { authorization: digestHeader({ ...key, nonce: await freshNonce(here), ...of }) });
  for (const instance of [here, there, here, there, here]) {
    await assert.rejects(attempt(instance, { privateKey: 'wrong' }), { status: 401 });
  }
  await assert.rejects(attempt(here), { status: 429 });
});
