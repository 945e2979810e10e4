import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import S3rver from 's3rver';
import { BucketError } from './object-store.ts';
import { type S3Place, s3Store } from './s3.ts';
import { storeTests } from './testing.ts';

const BUCKET = 'snapshots-here';
/** The credentials that the server accepts. */
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
/** Options for a server that never responds. */
const IMPATIENCE = { timeoutMs: 2_000, attempts: 2 };

describe('objects in a bucket of an S3 server', () => {
  let folder: string;
  let server: S3rver;
  let place: S3Place;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 's3-'));
    const buckets = [{ name: BUCKET, configs: [] }];
    server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: folder,
      configureBuckets: buckets,
    });
    const { port } = (await server.run()) as AddressInfo;
    place = { bucket: BUCKET, endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', credentials };
  });

  after(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  void storeTests(() => s3Store(place));

  test('are stored below the prefix', async () => {
    const below = s3Store({ ...place, prefix: 'region-1/' });
    await below.put('a/1', Buffer.from('one'));
    assert.deepEqual([...(await s3Store(place).list('region-1/a/'))], [['1', 3]]);
    assert.deepEqual([...(await below.list('a/'))], [['1', 3]]);
    await below.delete(['a/1']);
    assert.equal(await s3Store(place).get('region-1/a/1'), undefined);
  });

  test('are removed in batches of a thousand', async () => {
    const store = s3Store({ ...place, prefix: 'many/' });
    const names = Array.from({ length: 1001 }, (_, index) => `x${index}`);
    // The test server fails if a folder becomes empty while several objects are being deleted. This object keeps the
    // folder from becoming empty.
    for (const name of ['stays', 'x0', 'x1000']) await store.put(name, Buffer.from('here'));
    await store.delete(names);
    assert.deepEqual([...(await store.list(''))], [['stays', 4]]);
  });

  test('are denied to unknown credentials', async () => {
    const stranger = { accessKeyId: 'NOBODY', secretAccessKey: 'a-secret-that-is-wrong' };
    const refused = s3Store({ ...place, credentials: stranger }).put('a', Buffer.from('a'));
    await assert.rejects(refused, (error) => {
      assert.ok(error instanceof BucketError);
      assert.equal(error.trouble, 'denied');
      assert.doesNotMatch(error.message, /NOBODY|secret/);
      return true;
    });
  });

  test('use credentials from a function', async () => {
    const asked = s3Store({ ...place, credentials: async () => credentials });
    await asked.put('asked', Buffer.from('a'));
    assert.deepEqual(await asked.get('asked'), new Uint8Array([97]));
  });

  test('are rejected if the bucket does not exist', async () => {
    const absent = s3Store({ ...place, bucket: 'nothing-here' });
    const asked = [
      () => absent.put('a', Buffer.from('a')),
      () => absent.get('a'),
      () => absent.list(''),
      () => absent.delete(['a']),
    ];
    const message = 'there is no bucket nothing-here';
    for (const ask of asked) await assert.rejects(ask, { trouble: 'absent', message });
  });
});

/** Starts a test server for behaviour that the emulator lacks. Also returns a bucket on the server. */
async function serving(handle: RequestListener): Promise<{ place: S3Place; server: Server }> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { place: { bucket: BUCKET, endpoint, region: 'us-east-1', credentials }, server };
}

test('objects are listed over all pages', async () => {
  const page = (name: string, rest: string) =>
    `<ListBucketResult><Contents><Key>${name}</Key><Size>1</Size></Contents>${rest}</ListBucketResult>`;
  const { place, server } = await serving(({ url = '' }, answer) => {
    const more = '<IsTruncated>true</IsTruncated><NextContinuationToken>two</NextContinuationToken>';
    answer.setHeader('content-type', 'application/xml');
    answer.end(url.includes('continuation-token=two') ? page('a/2', '') : page('a/1', more));
  });
  assert.deepEqual([...(await s3Store(place).list('a/')).keys()], ['1', '2']);
  server.close();
  server.closeAllConnections();
});

test('a request without a response times out', async () => {
  let asked = 0;
  const { place, server } = await serving(() => {
    asked++;
  });
  const store = s3Store(place, IMPATIENCE);
  // Repeat the request, because on a busy machine an attempt may time out before the server receives it.
  while (asked < IMPATIENCE.attempts) {
    asked = 0;
    await assert.rejects(store.put('a', Buffer.from('a')), { trouble: 'unavailable' });
  }
  assert.equal(asked, IMPATIENCE.attempts);
  server.close();
  server.closeAllConnections();
});
