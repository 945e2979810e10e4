import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDatabase, onEachDatabase } from '@portolan/test-support/databases';
import { allows } from './allowance.ts';
import { cacheKeys } from './credentials.ts';
import { grantRole, removeGrantsOf, removePrincipalsOf, revokeRole } from './grants.ts';
import { createApiKey, isKeyPair } from './principals.ts';
import { insertAddress } from './rows.ts';
import {
  digestHeader,
  freshNonce,
  newKey,
  openInstance,
  send,
  TEST_ORG,
  type TestInstance,
} from './testing.ts';

const project = { kind: 'group', id: '5f0000000000000000000001', orgId: TEST_ORG } as const;

/** Sends one request per second, since a change by another instance may take up to one second to become visible. */
function callEachSecond(instance: TestInstance, key: { publicKey: string; privateKey: string }) {
  return async () => {
    instance.machine.advance(1000);
    return send(instance, { authorization: digestHeader({ ...key, nonce: await freshNonce(instance) }) });
  };
}

onEachDatabase('changes of roles, addresses and the key take effect at the commit', async (t, database) => {
  const instance = await openInstance(t, database);
  const { store } = instance;
  const key = await newKey(instance);
  const call = callEachSecond(instance, key);
  assert.equal(allows(await call(), 'Project Read Only', project), false);
  await store.write((tx) => grantRole(tx, key.id, project, 'GROUP_READ_ONLY'));
  await store.write((tx) => grantRole(tx, key.id, project, 'GROUP_READ_ONLY'));
  assert.deepEqual((await call()).grants, [{ scope: 'group', id: project.id, role: 'GROUP_READ_ONLY' }]);
  await store.write((tx) => revokeRole(tx, key.id, project, 'GROUP_READ_ONLY'));
  await store.write((tx) => grantRole(tx, key.id, project, 'GROUP_OWNER'));
  assert.equal(allows(await call(), 'Project Owner', project), true);
  await store.write(async (tx) => {
    await insertAddress(tx, {
      principal_id: key.id,
      cidr_block: '203.0.113.0/24',
      created_at: 0,
      request_count: 0,
      last_used_at: null,
      last_used_address: null,
    });
    tx.touch(cacheKeys.principal(key.id));
  });
  assert.deepEqual((await call()).addresses, ['203.0.113.0/24']);
  await store.write((tx) => removeGrantsOf(tx, project));
  assert.equal(allows(await call(), 'Project Read Only', project), false);
  await store.write((tx) => removePrincipalsOf(tx, TEST_ORG));
  await assert.rejects(call(), { status: 401 });
});

test('another instance sees changes within a second', async (t) => {
  const database = await emptyDatabase.postgres(t);
  const [here, there] = [await openInstance(t, database), await openInstance(t, database)];
  const key = await newKey(here);
  const call = callEachSecond(there, key);
  assert.deepEqual((await call()).grants, []);
  await here.store.write((tx) => grantRole(tx, key.id, project, 'GROUP_OWNER'));
  assert.equal((await call()).grants.length, 1);
  await here.store.write((tx) => removePrincipalsOf(tx, TEST_ORG));
  await assert.rejects(call(), { status: 401 });
});

onEachDatabase('a given key pair is used, and an invalid one is rejected', async (t, database) => {
  const instance = await openInstance(t, database);
  const create = (pair: { publicKey: string; privateKey: string }) =>
    instance.store.write((tx) =>
      createApiKey(tx, instance, { orgId: TEST_ORG, description: 'chosen', pair }),
    );
  const pair = { publicKey: 'abcdefgh', privateKey: '01234567-89ab-cdef-0123-456789abcdef' };
  assert.deepEqual({ ...(await create(pair)), id: '' }, { id: '', ...pair });
  assert.equal((await callEachSecond(instance, pair)()).name, 'abcdefgh');
  const isPair = (of: object) => instance.store.read((tx) => isKeyPair(tx, instance, { ...pair, ...of }));
  assert.equal(await isPair({}), true);
  assert.equal(await isPair({ privateKey: '00000000-0000-0000-0000-000000000000' }), false);
  assert.equal(await isPair({ publicKey: 'nosuchky' }), undefined);
  await assert.rejects(create({ ...pair, publicKey: 'ABCDEFGH' }), /eight letters/);
  await assert.rejects(create({ ...pair, privateKey: 'secret' }), /UUID/);
});

onEachDatabase('the database contains neither keys nor hashes in clear text', async (t, database) => {
  const instance = await openInstance(t, database);
  const key = await newKey(instance);
  const row = await instance.store.read((tx) =>
    tx.from<import('./rows.ts').AccessTables>().selectFrom('api_key').selectAll().executeTakeFirstOrThrow(),
  );
  assert.equal(row.private_key_mask, `********-****-****-${key.privateKey.slice(-12)}`);
  const stored = [row.ha1_md5, row.ha1_sha256].map((bytes) => Buffer.from(bytes).toString('latin1')).join();
  assert.doesNotMatch(stored, /[0-9a-f]{32}/);
  assert.doesNotMatch(JSON.stringify({ ...row, private_key_mask: '' }), new RegExp(key.privateKey));
});
