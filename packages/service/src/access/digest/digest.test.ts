import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testClock } from '@portolan/foundation/testing';
import { emptyDatabase, onEachDatabase } from '@portolan/test-support/databases';
import { Challenge, challengeBody } from '../challenge.ts';
import {
  digestHeader,
  freshNonce,
  isStale,
  newKey,
  openInstance,
  refused,
  send,
  TEST_ORG,
} from '../testing.ts';

test('a request without usable credentials gets both challenges', async (t) => {
  const database = await emptyDatabase.sqlite(t);
  const instance = await openInstance(t, database);
  const challenges = await refused(instance);
  const start = 'Digest realm="Project Administration API", domain="", nonce="';
  assert.deepEqual(
    challenges.map((line) => line.replace(/nonce="[A-Za-z0-9+/]{32}"/, 'nonce=""')),
    [
      `${start}", algorithm=MD5, qop="auth", stale=false`,
      `${start}", algorithm=SHA-256, qop="auth", stale=false`,
    ],
  );
  for (const authorization of ['Basic YTpi', 'Digest', 'Digest nonsense', 'Digesta b', '']) {
    assert.equal(isStale(await refused(instance, { authorization })), false, authorization);
  }
});

onEachDatabase(
  'correct credentials are accepted with either hash, and each count once',
  async (t, database) => {
    const instance = await openInstance(t, database);
    const key = await newKey(instance);
    const nonce = await freshNonce(instance);
    const header = (nc: number, algorithm: 'MD5' | 'SHA-256' = 'MD5') =>
      digestHeader({ ...key, nonce, nc, algorithm });
    assert.equal((await send(instance, { authorization: header(1) })).id, key.id);
    assert.equal((await send(instance, { authorization: header(2, 'SHA-256') })).name, key.publicKey);
    const unnamed = header(3).replace('algorithm=MD5, ', '');
    assert.equal((await send(instance, { authorization: unnamed })).orgId, TEST_ORG);
    assert.ok(isStale(await refused(instance, { authorization: header(2, 'SHA-256') })));
    assert.ok(isStale(await refused(instance, { authorization: header(3) })));
  },
);

onEachDatabase('reordered requests on parallel connections are accepted', async (t, database) => {
  const instance = await openInstance(t, database);
  const key = await newKey(instance);
  const nonce = await freshNonce(instance);
  const counts = Array.from({ length: 40 }, (_, index) => ((index * 17) % 40) + 1);
  const sendAll = () =>
    Promise.allSettled(
      counts.map((nc) => send(instance, { authorization: digestHeader({ ...key, nonce, nc }) })),
    );
  assert.ok((await sendAll()).every((result) => result.status === 'fulfilled'));
  assert.ok((await sendAll()).every((result) => result.status === 'rejected'));
});

onEachDatabase('a client without qop is accepted, with each nonce once', async (t, database) => {
  const instance = await openInstance(t, database);
  const key = await newKey(instance);
  const nonce = await freshNonce(instance);
  const authorization = digestHeader({ ...key, nonce, old: true });
  assert.equal((await send(instance, { authorization })).id, key.id);
  assert.ok(isStale(await refused(instance, { authorization })));
  const wrong = digestHeader({ ...key, privateKey: 'wrong', nonce: await freshNonce(instance), old: true });
  assert.equal(isStale(await refused(instance, { authorization: wrong })), false);
});

onEachDatabase('one count sent many times at once is accepted once', async (t, database) => {
  const instance = await openInstance(t, database);
  const key = await newKey(instance);
  const authorization = digestHeader({ ...key, nonce: await freshNonce(instance) });
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => send(instance, { authorization })),
  );
  assert.equal(results.filter((result) => result.status === 'fulfilled').length, 1);
});

test('a captured header is valid for no other request', async (t) => {
  const database = await emptyDatabase.sqlite(t);
  const instance = await openInstance(t, database);
  const key = await newKey(instance);
  const authorization = digestHeader({ ...key, nonce: await freshNonce(instance) });
  const elsewhere = { authorization, target: '/api/service/v2/orgs' };
  assert.equal(isStale(await refused(instance, elsewhere)), false);
  assert.equal(isStale(await refused(instance, { authorization, method: 'DELETE' })), false);
  const wrongRealm = authorization.replace('realm="Project', 'realm="project');
  assert.equal(isStale(await refused(instance, { authorization: wrongRealm })), false);
  await send(instance, { authorization });
});

onEachDatabase('an expired or foreign nonce is stale only for correct credentials', async (t, database) => {
  const clock = testClock();
  const instance = await openInstance(t, database, clock);
  const key = await newKey(instance);
  const nonce = await freshNonce(instance);
  const header = (of: object) => digestHeader({ ...key, nonce, ...of });
  clock.advance(60_000);
  await send(instance, { authorization: header({}) });
  clock.advance(1);
  assert.ok(isStale(await refused(instance, { authorization: header({ nc: 2 }) })));
  assert.ok(isStale(await refused(instance, { authorization: header({ nonce: 'A'.repeat(32) }) })));
  const wrong = header({ nc: 2, privateKey: 'wrong' });
  assert.equal(isStale(await refused(instance, { authorization: wrong })), false);
});

onEachDatabase('requests captured before a restart cannot be replayed after it', async (t, database) => {
  const clock = testClock();
  const first = await openInstance(t, database, clock);
  const key = await newKey(first);
  const authorization = digestHeader({ ...key, nonce: await freshNonce(first) });
  await send(first, { authorization });
  await first.close();
  clock.advance(5);
  const second = await openInstance(t, database, clock);
  assert.ok(isStale(await refused(second, { authorization })));
  const again = digestHeader({ ...key, nonce: await freshNonce(second) });
  assert.equal((await send(second, { authorization: again })).id, key.id);
});

onEachDatabase(
  'setting the machine clock back rejects no caller and permits no replay',
  async (t, database) => {
    const clock = testClock();
    const instance = await openInstance(t, database, clock);
    const key = await newKey(instance);
    const call = async () => {
      const authorization = digestHeader({ ...key, nonce: await freshNonce(instance) });
      assert.equal((await send(instance, { authorization })).id, key.id);
      return authorization;
    };
    for (let minute = 0; minute < 4; minute++) {
      await call();
      clock.advance(60_000);
    }
    const before = await call();
    clock.setBack(3_600_000);
    await call();
    assert.ok(isStale(await refused(instance, { authorization: before })));
    const wrong = digestHeader({ ...key, nonce: await freshNonce(instance), privateKey: 'wrong' });
    for (let attempt = 0; attempt < 5; attempt++) await refused(instance, { authorization: wrong });
    clock.setBack(3_600_000);
    clock.advance(60_000);
    await call();
  },
);

test('a nonce is valid at every instance of a store, and each count at one of them', async (t) => {
  const database = await emptyDatabase.postgres(t);
  const [here, there] = [await openInstance(t, database), await openInstance(t, database)];
  const key = await newKey(here);
  const nonce = await freshNonce(here);
  const header = (nc: number) => ({ authorization: digestHeader({ ...key, nonce, nc }) });
  await send(there, header(1));
  await send(here, header(2));
  assert.ok(isStale(await refused(here, header(1))));
  assert.ok(isStale(await refused(there, header(2))));
});

test('the body of a challenge has a form of its own', () => {
  const text = [
    '{',
    '  "error": 401,',
    '  "reason": "Unauthorized",',
    '  "detail": "You are not authorized for this resource.",',
    '  "errorCode": "UNEXPECTED_ERROR",',
    '  "parameters": []',
    '}',
  ];
  assert.equal(challengeBody(new Challenge([])), text.join('\n'));
});
