import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startAzurite } from '@portolan/test-support/azurite';
import { startStorageEmulator } from '@portolan/test-support/storage-emulator';
import { azureStore } from './azure.ts';
import { gcsStore } from './gcs.ts';
import { storeTests } from './testing.ts';

/** Tests with third-party emulators, which are installed when they are missing. */

test('an Azure container works in Azurite', async (t: TestContext) => {
  const azurite = await startAzurite();
  if (typeof azurite === 'string') {
    t.diagnostic(`Azurite was not tested, since it cannot be installed here: ${azurite}`);
    return;
  }
  t.after(() => azurite.stop());
  await azurite.addContainer('exports');
  const opened = (container: string) =>
    azureStore({ serviceUrl: azurite.url, container, credentials: azurite.credentials });
  await storeTests(() => opened('exports'), t);
  await assert.rejects(opened('nothing-here').get('a'), { trouble: 'absent' });
  const stranger = {
    account: azurite.credentials.account,
    key: Buffer.from('another key').toString('base64'),
  };
  const refused = azureStore({ serviceUrl: azurite.url, container: 'exports', credentials: stranger });
  await assert.rejects(refused.list(''), { trouble: 'denied' });
});

test('a Google bucket works in an emulator of Google Cloud Storage', async (t: TestContext) => {
  const emulator = await startStorageEmulator('exports');
  if (typeof emulator === 'string') {
    t.diagnostic(`gcp-storage-emulator was not tested, since it cannot be installed here: ${emulator}`);
    return;
  }
  t.after(() => emulator.stop());
  const opened = (bucket: string) => gcsStore({ bucket, endpoint: emulator.url });
  await storeTests(() => opened('exports'), t);
  await assert.rejects(opened('nothing-here').put('a', Buffer.from('a')), { trouble: 'absent' });
});
