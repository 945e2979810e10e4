import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { backedUp, backupsOf, into } from './support/backups.ts';
import { allowAccess, driverFor, LONG_TIMEOUTS } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { pathsBelow } from './support/folders.ts';
import { end } from './support/processes.ts';
import { own } from './support/setups.ts';
import { type ClusterDocument, clusterBody, idIn, idle, newCluster, newProject } from './support/stage.ts';
import { eventTypes } from './support/users.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SECRET = 'wJalrXUtnFEMI/K7MDENG';
const aws = {
  accessKeyID: 'AKIAIOSFODNN7EXAMPLE',
  customerMasterKeyID: 'arn:aws:kms:us-east-1:123456789012:key/harbour',
  enabled: true,
  region: 'US_EAST_1',
  secretAccessKey: SECRET,
};
const azure = {
  clientID: '11111111-2222-3333-4444-555555555555',
  enabled: true,
  keyIdentifier: 'https://quay.vault.azure.net/keys/harbour/1',
  keyVaultName: 'quay',
  resourceGroupName: 'harbour',
  secret: 'azure-SECRET-0123',
  subscriptionID: '22222222-2222-3333-4444-555555555555',
  tenantID: '33333333-2222-3333-4444-555555555555',
};
const gcp = {
  enabled: true,
  keyVersionResourceID: 'projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1',
  serviceAccountKey: '{"type":"service_account","private_key":"SECRET-of-gcp"}',
};
const shownAws = { ...aws, secretAccessKey: '********DENG', requirePrivateNetworking: false, valid: true };
const off = { enabled: false };

type Document = Record<string, unknown>;

/** Returns the decompressed content of a file; empty for folders and deleted files. */
function contentOf(path: string): Buffer {
  try {
    if (!statSync(path).isFile()) return Buffer.alloc(0);
    const content = readFileSync(path);
    return path.includes('/chunks/') ? zstdDecompressSync(content) : content;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

own.onOneSetup('SQLite, one instance', 'encryption at rest', (setup) => {
  const { fleet, taken, restored } = backupsOf(setup);
  const at = (project: string) => `${project}/encryptionAtRest`;

  const set = async (project: string, body: object) => {
    for (const one of [aws, azure, gcp]) {
      setup.keepOutOfLogs(
        'secret' in one ? one.secret : 'serviceAccountKey' in one ? 'SECRET-of-gcp' : SECRET,
      );
    }
    const { links: _, ...document } = expectStatus<Document>(await setup.owner.patch(at(project), body), 200);
    return document;
  };
  const read = async (project: string) => {
    const { links: _, ...document } = expectStatus<Document>(await setup.owner.get(at(project)), 200);
    return document;
  };
  const folders = () => [
    ...setup.instances.map(({ dataDirectory }) => dataDirectory),
    ...[setup.settings['snapshot-store']].filter((folder) => typeof folder === 'string'),
  ];
  const keyFolder = () => String(setup.settings['key-folder'] ?? join(folders()[0] ?? '', 'keys'));
  const encrypted = (provider: string) => ({ ...backedUp, encryptionAtRestProvider: provider });

  /** Returns the files of the service and its engine host that contain one of the words. */
  const filesContaining = (words: readonly string[]) =>
    folders()
      .flatMap((folder) => pathsBelow(folder).map((name) => join(folder, name)))
      .filter((path) => words.some((word) => contentOf(path).includes(word)));

  test('key providers are configured, stored with masked secrets, and changed in part', async () => {
    const project = await newProject(setup);
    const nothing = { awsKms: off, azureKeyVault: off, googleCloudKms: off };
    assert.deepEqual(await read(project), nothing);
    const { links } = expectStatus<{ links: { href: string }[] }>(await setup.owner.get(at(project)), 200);
    assert.ok(links[0]?.href.endsWith(at(project)));

    assert.deepEqual(await set(project, { awsKms: aws }), { ...nothing, awsKms: shownAws });
    const whole = await set(project, { azureKeyVault: azure, googleCloudKms: gcp });
    assert.deepEqual(whole, {
      awsKms: shownAws,
      azureKeyVault: {
        ...azure,
        azureEnvironment: 'AZURE',
        secret: '********0123',
        requirePrivateNetworking: false,
        valid: true,
      },
      googleCloudKms: {
        ...gcp,
        serviceAccountKey: '********cp"}',
        requirePrivateNetworking: false,
        valid: true,
      },
    });
    assert.deepEqual(await set(project, whole), whole, 'what was read may be sent back');
    const { awsKms } = await set(project, { awsKms: { enabled: false, requirePrivateNetworking: false } });
    const { valid: _, ...rest } = shownAws;
    assert.deepEqual(awsKms, { ...rest, enabled: false });
    assert.deepEqual((await set(project, { awsKms: { enabled: true } })).awsKms, shownAws);
    assert.ok((await eventTypes(setup.owner, project)).includes('ENCRYPTION_AT_REST_CONFIGURATION_UPDATED'));
    assert.deepEqual(filesContaining([SECRET, azure.secret, 'SECRET-of-gcp']), []);
  });

  test('reports missing, invalid and unavailable values', async () => {
    const project = await newProject(setup);
    const refused = async (body: object, code: string, parameter: string, status = 400) =>
      expectFault(await setup.owner.patch(at(project), body), status, code, [parameter]);
    for (const [field, one] of Object.entries({ awsKms: aws, azureKeyVault: azure, googleCloudKms: gcp })) {
      for (const name of Object.keys(one).filter((each) => each !== 'enabled')) {
        await refused({ [field]: { ...one, [name]: undefined } }, 'MISSING_ATTRIBUTE', `${field}.${name}`);
      }
    }
    const secret = { awsKms: { ...aws, secretAccessKey: '********DENG' } };
    await refused(secret, 'INVALID_ATTRIBUTE', 'awsKms.secretAccessKey');
    const network = { awsKms: { ...aws, requirePrivateNetworking: true } };
    await refused(network, 'INVALID_ATTRIBUTE', 'awsKms.requirePrivateNetworking');
    await refused({ awsKms: { ...aws, valid: true } }, 'ATTRIBUTE_READ_ONLY', 'awsKms.valid');
    const environment = { azureKeyVault: { ...azure, azureEnvironment: 'MOON' } };
    await refused(environment, 'INVALID_ENUM_VALUE', 'MOON');
    const roleId = '0123456789abcdef01234567';
    const byRole = { awsKms: { customerMasterKeyID: 'key', enabled: true, region: 'US_EAST_1', roleId } };
    await refused(byRole, 'CLOUD_PROVIDER_ACCESS_ROLE_NOT_FOUND', roleId, 404);
    assert.deepEqual(await read(project), { awsKms: off, azureKeyVault: off, googleCloudKms: off });

    expectFault(
      await setup.owner.post(`${project}/clusters`, clusterBody('one', encrypted('AWS'))),
      400,
      'ENCRYPTION_AT_REST_NOT_ENABLED',
      [idIn(project)],
    );
    await set(project, { googleCloudKms: gcp });
    expectFault(
      await setup.owner.post(`${project}/clusters`, clusterBody('one', encrypted('AWS'))),
      400,
      'INVALID_ENCRYPTION_AT_REST_PROVIDER',
      ['AWS'],
    );
  });

  test('an access role replaces credentials, and cannot be removed while in use', async () => {
    const project = await newProject(setup);
    const access = `${project}/cloudProviderAccess`;
    const { roleId } = expectStatus<{ roleId: string }>(
      await setup.owner.post(access, { providerName: 'GCP' }),
      200,
    );
    const { keyVersionResourceID } = gcp;
    const { googleCloudKms } = await set(project, {
      googleCloudKms: { enabled: true, keyVersionResourceID, roleId },
    });
    assert.deepEqual(googleCloudKms, {
      enabled: true,
      keyVersionResourceID,
      requirePrivateNetworking: false,
      roleId,
      valid: true,
    });
    const usages = async () =>
      expectStatus<Document>(await setup.owner.get(`${access}/${roleId}`), 200).featureUsages;
    assert.deepEqual(await usages(), [
      { featureType: 'ENCRYPTION_AT_REST', featureId: { groupId: idIn(project) } },
    ]);
    await set(project, { googleCloudKms: { enabled: false } });
    assert.deepEqual(await usages(), []);
    expectStatus(await setup.owner.delete(`${access}/GCP/${roleId}`), 204);
  });

  test('data, logs and snapshots of an encrypted cluster are unreadable, and can be restored with the key', async (t) => {
    const words = ['narwhalvalue', 'NARWHALNAME'];
    const { project, cluster } = await fleet(t);
    const driver = await driverFor(setup, cluster);
    t.after(() => driver.close());
    const names = driver.db('harbour').collection<{ _id: number; name: string }>('NARWHALNAME');
    await names.insertOne({ _id: 1, name: 'narwhalvalue 1' });
    await names.createIndex({ name: 1 });
    const clear = await taken(cluster);
    assert.ok(filesContaining(words).some((path) => path.includes('/chunks/')));
    assert.equal('masterKeyUUID' in clear, false);
    const change = async (provider: string) => {
      expectStatus(await setup.owner.patch(cluster, { encryptionAtRestProvider: provider }), 200);
      const document = await idle(setup.owner, cluster);
      assert.equal((document as unknown as Document).encryptionAtRestProvider, provider);
    };

    await set(project, { awsKms: aws, googleCloudKms: gcp });
    await change('AWS');
    assert.equal((await names.findOne({ name: 'narwhalvalue 1' }))?._id, 1);
    await names.insertOne({ _id: 2, name: 'narwhalvalue 2' });
    const sealed = await taken(cluster);
    assert.match(String(sealed.masterKeyUUID), UUID);
    // Snapshots that were taken before the encryption stay unencrypted.
    const restore = (snapshotId: string) => ({
      deliveryType: 'automated',
      ...into(project, 'fleet', snapshotId),
    });
    const jobs = `${cluster}/backup/restoreJobs`;
    expectFault(await setup.owner.post(jobs, restore(clear.id)), 400, 'INVALID_SNAPSHOT_RESTORE_ENCRYPTION', [
      'fleet',
    ]);
    expectStatus(await setup.owner.delete(`${cluster}/backup/snapshots/${clear.id}`), 204);
    await until(
      'the end of what was in clear',
      async () => filesContaining(words),
      (found) => found.length === 0,
    );
    const download = { deliveryType: 'download', snapshotId: sealed.id };
    expectFault(await setup.owner.post(jobs, download), 400, 'CANNOT_DOWNLOAD_SNAPSHOT_WITH_ENCRYPTION');

    expectFault(
      await setup.owner.patch(cluster, { encryptionAtRestProvider: 'GCP' }),
      409,
      'CANNOT_CHANGE_ENCRYPTION_AT_REST_PROVIDER',
      ['AWS'],
    );
    expectFault(
      await setup.owner.patch(at(project), { awsKms: { enabled: false } }),
      409,
      'CANNOT_DISABLE_ENCRYPTION_AT_REST',
      ['fleet', 'AWS'],
    );
    await set(project, { awsKms: { customerMasterKeyID: 'another key' } });
    const later = await until(
      'a snapshot with the other key',
      () => taken(cluster),
      ({ masterKeyUUID }) => masterKeyUUID !== sealed.masterKeyUUID,
    );
    assert.match(String(later.masterKeyUUID), UUID);
    await names.deleteMany({});
    assert.equal((await restored(cluster, into(project, 'fleet', sealed.id))).ended.failed, false);
    await idle(setup.owner, cluster);
    assert.equal(await names.countDocuments(), 2);

    const own = `${project}/clusters/own`;
    await newCluster(setup, project, 'own', encrypted('AWS'));
    assert.equal((await restored(cluster, into(project, 'own', sealed.id))).ended.failed, false);
    await newCluster(setup, project, 'plain', backedUp);
    const elsewhere = { deliveryType: 'automated', ...into(project, 'plain', sealed.id) };
    expectFault(await setup.owner.post(jobs, elsewhere), 400, 'INVALID_SNAPSHOT_RESTORE_ENCRYPTION', [
      'plain',
    ]);
    assert.deepEqual(filesContaining(words), []);
    assert.ok(readdirSync(keyFolder()).includes(`${sealed.masterKeyUUID}.key`));
    expectStatus(await setup.owner.delete(own), 202);

    await change('NONE');
    assert.notDeepEqual(filesContaining(words), []);
    assert.equal(await names.countDocuments(), 2);
    await set(project, { awsKms: { enabled: false } });
  });

  test('a project whose policy requires encryption cannot disable its key provider', async () => {
    const project = await newProject(setup);
    await set(project, { awsKms: aws, googleCloudKms: gcp });
    const policy = `${project}/backupCompliancePolicy`;
    const person = { authorizedUserFirstName: 'Ada', authorizedUserLastName: 'Gray' };
    const body = { ...person, authorizedEmail: 'ada@example.com', encryptionAtRestEnabled: true };
    expectStatus(await setup.owner.send('PUT', policy, body), 200);
    await set(project, { awsKms: { enabled: false } });
    expectFault(
      await setup.owner.patch(at(project), { googleCloudKms: { enabled: false } }),
      400,
      'CANNOT_DISABLE_ENCRYPTION_AT_REST_WITH_BACKUP_COMPLIANCE_POLICY',
    );
  });

  test('a cluster with a missing key is down until the key returns', async (t) => {
    const project = await newProject(setup);
    const before = new Set(readdirSync(keyFolder()));
    await set(project, { googleCloudKms: { ...gcp, keyVersionResourceID: 'projects/p/taken' } });
    const [name = ''] = readdirSync(keyFolder()).filter((each) => !before.has(each));
    const cluster = await newCluster(setup, project, 'one', encrypted('GCP'));
    await allowAccess(setup, project, cluster);
    const driver = await driverFor(setup, cluster, LONG_TIMEOUTS);
    t.after(() => driver.close());
    const boats = driver.db('harbour').collection<{ _id: number }>('boats');
    await boats.insertOne({ _id: 1 });
    renameSync(join(keyFolder(), name), join(keyFolder(), `${name}.away`));
    for (const { hostPid } of setup.instances) end(hostPid());
    const stateOf = async () => expectStatus<ClusterDocument>(await setup.owner.get(cluster), 200).stateName;
    await until('the loss of the cluster', stateOf, (state) => state === 'REPAIRING');
    renameSync(join(keyFolder(), `${name}.away`), join(keyFolder(), name));
    await idle(setup.owner, cluster);
    assert.equal(await boats.countDocuments(), 1);
  });

  test('a missing or replaced key is invalid, is not recreated, and is reported by events', async () => {
    const project = await newProject(setup);
    const lost = { ...gcp, keyVersionResourceID: 'projects/p/lost' };
    const before = new Set(readdirSync(keyFolder()));
    await set(project, { googleCloudKms: lost });
    const [name = ''] = readdirSync(keyFolder()).filter((each) => !before.has(each));
    assert.equal(statSync(join(keyFolder(), name)).mode & 0o077, 0);
    renameSync(join(keyFolder(), name), join(keyFolder(), `${name}.away`));
    const validOf = (document: Document) => (document.googleCloudKms as Document).valid;
    assert.equal(validOf(await read(project)), false);
    assert.equal(validOf(await set(project, { googleCloudKms: { enabled: true } })), false);
    renameSync(join(keyFolder(), `${name}.away`), join(keyFolder(), name));
    assert.equal(validOf(await read(project)), true);

    const whole = readFileSync(join(keyFolder(), name));
    const another = `${Buffer.alloc(32, 1).toString('base64')}\n`;
    const seen = (type: string) =>
      until(
        type,
        async () => {
          expectStatus(await setup.operator.patch('/operator/v1/clock', { advanceSeconds: 301 }), 200);
          return eventTypes(setup.owner, project);
        },
        (types) => types.includes(type),
      );
    for (const content of ['', 'c2hvcnQ=', another]) {
      writeFileSync(join(keyFolder(), name), content);
      assert.equal(validOf(await read(project)), false, content);
    }
    const types = await seen('GCP_ENCRYPTION_KEY_INVALID');
    assert.ok(types.includes('ENCRYPTION_AT_REST_CONFIG_NO_LONGER_VALID'));
    writeFileSync(join(keyFolder(), name), whole);
    assert.ok((await seen('GCP_ENCRYPTION_KEY_VALID')).includes('ENCRYPTION_AT_REST_CONFIG_IS_VALID'));
    await set(project, { googleCloudKms: { keyVersionResourceID: 'projects/p/next' } });
    assert.equal(validOf(await read(project)), true);
    assert.ok((await eventTypes(setup.owner, project)).includes('GCP_ENCRYPTION_KEY_ROTATED'));
  });
});
