import assert from 'node:assert/strict';
import { systemRandom } from '@portolan/foundation/random';
import { secretBox } from '@portolan/foundation/secret-box';
import { onEachDatabase } from '@portolan/test-support/databases';
import { checkFingerprint, settings } from './settings.ts';
import { openTestStore } from './testing.ts';

const box = secretBox(Buffer.alloc(32, 1), systemRandom());
const otherBox = secretBox(Buffer.alloc(32, 2), systemRandom());

onEachDatabase('a setting keeps the last value', async (t, database) => {
  const store = await openTestStore(t, database);
  const read = () => store.read((tx) => settings.read(tx, 'a'));
  assert.equal(await read(), undefined);
  await store.write((tx) => settings.write(tx, 'a', { n: 1 }));
  await store.write((tx) => settings.write(tx, 'a', { n: [2] }));
  assert.deepEqual(await read(), { n: [2] });
  await store.write((tx) => settings.remove(tx, 'a'));
  assert.equal(await read(), undefined);
});

onEachDatabase('a sealed setting is readable only with its key and under its name', async (t, database) => {
  const store = await openTestStore(t, database);
  await store.write((tx) => settings.writeSealed(tx, box, 'a', 'secret'));
  assert.equal(String(await store.read((tx) => settings.readSealed(tx, box, 'a'))), 'secret');
  assert.equal(await store.read((tx) => settings.readSealed(tx, box, 'b')), undefined);
  assert.equal(await store.read((tx) => settings.read(tx, 'a')), undefined);
  await assert.rejects(store.read((tx) => settings.readSealed(tx, otherBox, 'a')));
});

onEachDatabase('two instances that create a secret concurrently get the same one', async (t, database) => {
  const first = await openTestStore(t, database);
  const second = first.capabilities.shared ? await openTestStore(t, database) : first;
  const made = await Promise.all(
    ['one', 'two', 'three', 'four'].map((name, index) =>
      settings.ensureSealed(index % 2 ? first : second, box, 'keyring', () => name),
    ),
  );
  assert.equal(new Set(made.map(String)).size, 1);
});

onEachDatabase(
  'a secret key that does not match the data is rejected in one sentence',
  async (t, database) => {
    const store = await openTestStore(t, database);
    await checkFingerprint(store, box);
    await checkFingerprint(store, box);
    await assert.rejects(checkFingerprint(store, otherBox), {
      kind: 'configuration',
      message: /^The secret key does not match the stored data: /,
    });
  },
);
