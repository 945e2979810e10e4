import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ids } from '@portolan/foundation/ids';
import type { Log } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { emptyDatabase } from '@portolan/test-support/databases';
import S3rver from 's3rver';
import { openTestStore } from '../../store/testing.ts';
import { readConfig } from '../settings.ts';
import { checkSnapshotStore, snapshotStores } from './snapshot-store.ts';

const WEST = 'AWS/EU_WEST_1';

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'portolan-store-'));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function bucketServer(t: TestContext): Promise<{ url: string; directory: string }> {
  const directory = await folder(t);
  const configureBuckets = ['kept', 'kept-aws-eu-west-1'].map((name) => ({ name, configs: [] }));
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets });
  const { port } = (await server.run()) as AddressInfo;
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${port}`, directory };
}

const inBuckets = (url: string, ...more: readonly string[]) =>
  readConfig(
    [
      ...['--snapshot-store', 's3://kept/of/fleet/', '--snapshot-store-url', url],
      ...['--snapshot-store-access-key', 'S3RVER', '--snapshot-store-secret-key', 'S3RVER'],
      ...more,
    ],
    { AWS_REGION: 'us-east-1' },
  );

test('snapshots are stored in a folder, and copies below it or in folders of their own', async (t) => {
  const data = await folder(t);
  const { snapshots, copies } = snapshotStores(readConfig([], {}), data);
  await snapshots.put('c/one', Buffer.from('1'));
  await copies(WEST).put('c/one', Buffer.from('2'));
  assert.deepEqual(await readdir(join(data, 'snapshots')), ['c', 'regions']);
  assert.deepEqual(await readdir(join(data, 'snapshots/regions/AWS/EU_WEST_1/c')), ['one']);
  const elsewhere = readConfig(['--copy-store', join(data, 'at-{region}')], {});
  await snapshotStores(elsewhere, data).copies(WEST).put('c/one', Buffer.from('3'));
  assert.deepEqual(await readdir(join(data, 'at-aws-eu-west-1/c')), ['one']);
  assert.throws(() => snapshotStores(readConfig(['--copy-store', '/here'], {}), data), /\{region\}/);
});

test('snapshots are stored in a bucket, and copies in one for each region', async (t) => {
  const { url, directory } = await bucketServer(t);
  const { snapshots, copies } = snapshotStores(inBuckets(url, '--copy-store', 's3://kept-{region}'), '/');
  await snapshots.put('c/one', Buffer.from('1'));
  await copies(WEST).put('c/one', Buffer.from('2'));
  assert.ok((await readdir(join(directory, 'kept/of/fleet/c'))).length > 0);
  assert.ok((await readdir(join(directory, 'kept-aws-eu-west-1/c'))).length > 0);
  assert.equal(Buffer.from((await copies(WEST).get('c/one')) ?? []).toString(), '2');
  for (const place of ['s3://', 's3://UP/x', 's3:///x'])
    assert.throws(
      () => snapshotStores(readConfig(['--snapshot-store', place], {}), '/'),
      /^ConfigError: .* is not a valid snapshot store; use s3:\/\/BUCKET or s3:\/\/BUCKET\/PATH$/,
    );
  assert.throws(
    () => readConfig(['--snapshot-store-access-key', 'S3RVER'], {}),
    /--snapshot-store-secret-key/,
  );
});

test('an unusable or different store is reported at the start', async (t) => {
  const { url } = await bucketServer(t);
  const store = await openTestStore(t, await emptyDatabase.sqlite(t));
  const warnings: string[] = [];
  const log = { warn: (...parts: unknown[]) => warnings.push(String(parts.at(-1))) } as unknown as Log;
  const parts = { store, ids: ids(Date.now, systemRandom()), log };
  const data = await folder(t);
  const check = (config: ReturnType<typeof readConfig>) => checkSnapshotStore(config, data, parts);
  const local = readConfig([], {});
  await check(local);
  await check(local);
  assert.deepEqual(warnings, []);
  const other = readConfig(['--snapshot-store', await folder(t)], {});
  await check(other);
  await check(other);
  assert.match(warnings.join('\n'), /differs from the one used before.*\n.*differs from the one used before/);
  const wrong = inBuckets(url, '--snapshot-store', 's3://absent');
  await assert.rejects(check(wrong), { name: 'ConfigError', message: /there is no bucket absent/ });
  warnings.length = 0;
  await check(inBuckets('http://127.0.0.1:9', '--snapshot-store', 's3://kept'));
  assert.deepEqual(warnings, [
    'the snapshot store does not respond; snapshots cannot be saved at the moment',
  ]);
});
