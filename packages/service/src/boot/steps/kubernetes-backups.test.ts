import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { secretBox } from '@portolan/foundation/secret-box';
import { readBackups } from './kubernetes-backups.ts';

const secrets = secretBox(Buffer.alloc(32, 1), systemRandom());
const KEY = 'the key of the storehouse';

async function read(t: TestContext, content: string) {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-backups-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'backups.yaml');
  await writeFile(file, content);
  return readBackups(file, secrets, 'the default image');
}

const s3 = (key: string) =>
  `type: s3\ns3: {bucket: logbooks}\ncredentials: {AWS_ACCESS_KEY_ID: pilot, AWS_SECRET_ACCESS_KEY: ${key}}\n`;

test('the file names the storage, and its version changes with the credentials', async (t) => {
  const { credentialsVersion, ...found } = (await read(t, s3(KEY))) ?? assert.fail();
  assert.deepEqual(found, {
    ...{ image: 'the default image', type: 's3', fields: { bucket: 'logbooks' } },
    credentials: { AWS_ACCESS_KEY_ID: 'pilot', AWS_SECRET_ACCESS_KEY: KEY },
  });
  assert.ok(!credentialsVersion.includes(KEY));
  assert.equal((await read(t, s3(KEY)))?.credentialsVersion, credentialsVersion);
  assert.notEqual((await read(t, s3('another key')))?.credentialsVersion, credentialsVersion);
});

test('credentials of S3 and the image are optional, and there may be no file', async (t) => {
  const { image, credentials } = (await read(t, 'image: own\ntype: s3\ns3: {bucket: b}')) ?? assert.fail();
  assert.deepEqual([image, credentials], ['own', undefined]);
  assert.equal(await readBackups(undefined, secrets, ''), undefined);
});

const PROJECT = '6b09fcbcd8f3f01d21dbe25c';

test('the file can contain storages for export buckets', async (t) => {
  const own = `{projectId: ${PROJECT}, type: s3, s3: {bucket: charts}}`;
  const { exportBuckets = [] } = (await read(t, `${s3(KEY)}exportBuckets: [${own}]`)) ?? assert.fail();
  const [{ credentialsVersion: _, ...found } = assert.fail()] = exportBuckets;
  assert.deepEqual(found, {
    ...{ projectId: PROJECT, type: 's3', credentials: undefined },
    fields: { bucket: 'charts' },
  });
  const cases: readonly (readonly [string, RegExp])[] = [
    [`${own}, ${own}`, /names an export bucket of a project twice$/],
    [
      '{type: s3, s3: {bucket: charts}}',
      /has the export bucket 1, which is invalid: must have required propert/,
    ],
    [
      `${own}, {projectId: x, type: s3, s3: {bucket: c}}`,
      /the export bucket 2, which is invalid at projectId: /,
    ],
    [`{projectId: ${PROJECT}, type: gcs}`, /the export bucket 1, which does not have the type s3 or azure$/],
  ];
  for (const [list, message] of cases)
    await assert.rejects(read(t, `${s3(KEY)}exportBuckets: [${list}]`), { message });
});

test('an invalid file is reported with the field, but without its values', async (t) => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['type: ftp', /does not have the type s3 or azure$/],
    ['- s3', /does not have the type s3 or azure$/],
    ['type: s3', /--kubernetes-backups is invalid: must have required propert/],
    ['type: s3\ns3: {bucket: 7}', /is invalid at s3\.bucket: must be string$/],
    [
      `type: azure\nazure: {container: c}\ncredentials: {AZURE_STORAGE_ACCOUNT_KEY: ${KEY}}`,
      /is invalid at credentials: must have required propert/,
    ],
    [`type: s3\ncredentials: [${KEY}`, /cannot be read: it contains neither YAML nor JSON$/],
  ];
  for (const [content, message] of cases) {
    await assert.rejects(read(t, content), (error: Error) => {
      assert.match(error.message, message);
      assert.ok(!error.message.includes(KEY), error.message);
      return true;
    });
  }
  await assert.rejects(readBackups('/nowhere/backups.yaml', secrets, ''), /cannot be read: ENOENT/);
});
