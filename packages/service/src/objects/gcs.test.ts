import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type GoogleStorage, startGoogleStorage } from '@portolan/test-support/google-storage';
import { gcsStore } from './gcs.ts';
import { storeTests } from './testing.ts';

const IMPATIENCE = { timeoutMs: 1000, attempts: 2 };

describe('objects in a bucket of Google Cloud', () => {
  let google: GoogleStorage;
  const opened = (bucket = google.bucket) => gcsStore({ bucket, endpoint: google.url });

  before(async () => {
    google = await startGoogleStorage();
  });

  after(() => google.stop());

  void storeTests(() => opened());

  test('are listed over all pages', async () => {
    const store = opened();
    for (const name of ['1', '2', '3']) await store.put(`pages/${name}`, Buffer.from(name));
    assert.deepEqual([...(await store.list('pages/')).keys()], ['1', '2', '3']);
  });

  for (const [bucket, trouble] of [
    ['nothing-here', 'absent'],
    ['exports-of-others', 'denied'],
  ] as const) {
    test(`are rejected if the bucket is ${trouble}`, async () => {
      const store = opened(bucket);
      const asked = [
        () => store.put('a', Buffer.from('a')),
        () => store.get('a'),
        () => store.list(''),
        () => store.delete(['a']),
      ];
      for (const ask of asked) await assert.rejects(ask, { name: 'BucketError', trouble });
    });
  }
});

test('a request without a response times out', async () => {
  let asked = 0;
  const server = createServer(() => {
    asked++;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = gcsStore({ bucket: 'exports-here', endpoint }, IMPATIENCE);
  // Repeat the request, because on a busy machine it may time out before the server receives it.
  while (asked === 0) await assert.rejects(store.put('a', Buffer.from('a')), { trouble: 'unavailable' });
  server.close();
  server.closeAllConnections();
});
