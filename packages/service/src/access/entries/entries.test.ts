import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDatabase, onEachDatabase } from '@portolan/test-support/databases';
import { assertAddressAllowed } from '../address-list.ts';
import { digestHeader, freshNonce, newKey, openInstance, send, TEST_ADDRESS, TEST_ORG } from '../testing.ts';
import { addAddress, findEntry, isAccessListRequired, removeAddress, requireAccessList } from './entries.ts';

/**
 * Advances the clock by one second and sends a request from `TEST_ADDRESS`. Returns the fault code, or
 * undefined if the request succeeds.
 */
async function meets(
  instance: Awaited<ReturnType<typeof openInstance>>,
  key: Parameters<typeof digestHeader>[0],
) {
  instance.machine.advance(1000);
  const caller = await send(instance, {
    authorization: digestHeader({ ...key, nonce: await freshNonce(instance) }),
  });
  try {
    assertAddressAllowed(caller, TEST_ADDRESS);
    return undefined;
  } catch (fault) {
    return (fault as { code: string }).code;
  }
}

onEachDatabase(
  'an organization that requires access lists rejects callers without one',
  async (t, database) => {
    const instance = await openInstance(t, database);
    const { store } = instance;
    const key = { ...(await newKey(instance)), nonce: '' };
    const require = (required: boolean) => store.write((tx) => requireAccessList(tx, TEST_ORG, required));
    assert.equal(await meets(instance, key), undefined);
    await require(true);
    await require(true);
    assert.equal(await store.read((tx) => isAccessListRequired(tx, TEST_ORG)), true);
    assert.equal(await meets(instance, key), 'ORG_REQUIRES_ACCESS_LIST');
    await store.write((tx) => addAddress(tx, key.id, '198.51.100.0/24'));
    assert.equal(await meets(instance, key), 'IP_ADDRESS_NOT_ON_ACCESS_LIST');
    await store.write((tx) => addAddress(tx, key.id, '203.0.113.0/24'));
    assert.equal(await meets(instance, key), undefined);
    await store.write((tx) => removeAddress(tx, key.id, '203.0.113.0/24'));
    await store.write((tx) => removeAddress(tx, key.id, '198.51.100.0/24'));
    assert.equal(await meets(instance, key), 'ORG_REQUIRES_ACCESS_LIST');
    await require(false);
    assert.equal(await meets(instance, key), undefined);
  },
);

test('another instance sees a requirement and a list within a second', async (t) => {
  const database = await emptyDatabase.postgres(t);
  const [here, there] = [await openInstance(t, database), await openInstance(t, database)];
  const key = { ...(await newKey(here)), nonce: '' };
  assert.equal(await meets(there, key), undefined);
  await here.store.write((tx) => requireAccessList(tx, TEST_ORG, true));
  assert.equal(await meets(there, key), 'ORG_REQUIRES_ACCESS_LIST');
  await here.store.write((tx) => addAddress(tx, key.id, `${TEST_ADDRESS}/32`));
  assert.equal(await meets(there, key), undefined);
});

onEachDatabase(
  'a use counts for every entry that contains the address, in one write',
  async (t, database) => {
    const instance = await openInstance(t, database);
    const { store, access, machine, clock } = instance;
    const key = { ...(await newKey(instance)), nonce: '' };
    for (const block of ['203.0.113.7/32', '203.0.113.0/24', '198.51.100.0/24']) {
      await store.write((tx) => addAddress(tx, key.id, block));
    }
    const caller = await send(instance, {
      authorization: digestHeader({ ...key, nonce: await freshNonce(instance) }),
    });
    clock.set({ at: machine.now() + 86_400_000, since: machine.now(), rate: 1 });
    for (let count = 0; count < 3; count++) access.recordUse(caller, '203.0.113.7');
    access.recordUse(caller, '203.0.113.9');
    const at = clock.now().getTime();
    machine.advance(1000);
    await access.close();
    const entry = (block: string) => store.read((tx) => findEntry(tx, key.id, block));
    const [address, block, other] = [
      await entry('203.0.113.7/32'),
      await entry('203.0.113.0/24'),
      await entry('198.51.100.0/24'),
    ];
    assert.deepEqual([address?.count, address?.lastUsedAddress], [3, '203.0.113.7']);
    assert.deepEqual([block?.count, block?.lastUsedAddress], [4, '203.0.113.9']);
    assert.deepEqual([block?.lastUsed?.getTime(), other?.count, other?.lastUsed], [at, 0, undefined]);
  },
);
