import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testClock } from '@portolan/foundation/testing';
import { emptyDatabase, onEachDatabase } from '@portolan/test-support/databases';
import {
  digestHeader,
  freshNonce,
  isStale,
  newKey,
  newToken,
  openInstance,
  refused,
  send,
  TEST_ADDRESS,
  type TestInstance,
} from './testing.ts';

onEachDatabase(
  'five wrong credentials block that key at that address until the minute ends',
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

onEachDatabase('concurrent guesses are counted one by one', async (t, database) => {
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

onEachDatabase('an unknown key is rejected like a known one with a wrong secret', async (t, database) => {
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

test('wrong credentials are counted across instances', async (t) => {
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

const notOfHere = (instance: TestInstance, token: string, address = TEST_ADDRESS) =>
  send(instance, { authorization: `Bearer ${token}`, address });

/**
 * Returns a function that makes tokens with the claims of a valid token. Each token has a different invalid
 * signature.
 */
function forgeries(token: string): (count: number) => string {
  const [head, claims] = token.split('.');
  return (count) => `${head}.${claims}.${Buffer.alloc(64, count).toString('base64url')}`;
}

onEachDatabase('forged tokens are counted for the client that they name', async (t, database) => {
  const clock = testClock();
  const instance = await openInstance(t, database, clock);
  const [token, other] = [await newToken(instance), await newToken(instance)];
  const [forged, forgedOther] = [forgeries(token), forgeries(other)];
  for (let count = 1; count <= 5; count++) {
    await assert.rejects(notOfHere(instance, forged(count)), { status: 401, code: 'UNAUTHORIZED' });
  }
  await assert.rejects(notOfHere(instance, forged(6)), {
    status: 429,
    code: 'RATE_LIMITED',
    parameters: ['/api/service/v2/groups', 5, 1],
    headers: { 'Retry-After': '60' },
  });
  await assert.rejects(notOfHere(instance, forged(7), '203.0.113.8'), { status: 401 });
  await assert.rejects(notOfHere(instance, forgedOther(1)), { status: 401 });
  await notOfHere(instance, token);
  clock.advance(60_000);
  await assert.rejects(notOfHere(instance, forged(8)), { status: 401 });
});

onEachDatabase('a token that names no client is counted by itself', async (t, database) => {
  const instance = await openInstance(t, database);
  const nobody = `e30.${Buffer.from(JSON.stringify({ sub: 'a\0b' })).toString('base64url')}.e30`;
  for (const text of ['x', 'a'.repeat(3000), nobody]) {
    for (let count = 1; count <= 5; count++) {
      await assert.rejects(notOfHere(instance, text), { status: 401 }, text);
    }
    await assert.rejects(notOfHere(instance, text), { status: 429 }, text);
  }
});

onEachDatabase('expired tokens are not counted', async (t, database) => {
  const instance = await openInstance(t, database);
  const token = await newToken(instance);
  instance.machine.advance(3_600_000);
  for (let count = 1; count <= 10; count++) {
    await assert.rejects(notOfHere(instance, token), { status: 401, code: 'UNAUTHORIZED' });
  }
  await assert.rejects(notOfHere(instance, forgeries(token)(1)), { status: 401 });
});
