import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type Document as BsonDocument, deserialize, EJSON, serialize } from 'bson';
import type { Db } from 'mongodb';
import { newS3Bucket } from './support/access-roles.ts';
import { backedUp, backupsOf } from './support/backups.ts';
import { startClouds } from './support/clouds.ts';
import { allowAccess, driverFor, newUser, SAILOR } from './support/drivers.ts';
import { makeEveryKind } from './support/every-kind.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { pymongo } from './support/python.ts';
import { REMOVAL } from './support/removal.ts';
import { own } from './support/setups.ts';
import { applied, idIn, type ListDocument, newCluster, newProject } from './support/stage.ts';
import { isOnPath, runProgram } from './support/tools.ts';
import { eventTypes } from './support/users.ts';

const ABSENT = '0123456789abcdef01234567';
const JSON_TO_BSON = join(import.meta.dirname, 'tools', 'json_util_to_bson.py');
const DAY_S = 86_400;
const sharded = { ...backedUp, clusterType: 'SHARDED', numShards: 2 };

/** Escapes a collection name for use in a file name. */
const inPath = (name: string) => name.replace(/[%/]/g, encodeURIComponent);

type Document = Record<string, unknown>;

interface ExportDocument extends Document {
  readonly id: string;
  readonly prefix: string;
  readonly state: string;
  readonly createdAt: string;
  readonly finishedAt?: string;
}

const clouds = await startClouds();
after(() => clouds.stop());
const { google } = clouds;

own.onOneSetup(
  'SQLite, one instance',
  'exports of snapshots',
  (setup) => {
    const { taken, fleet } = backupsOf(setup);

    const s3Bucket = (project: string) => newS3Bucket(setup, clouds, project);

    async function googleBucket(project: string): Promise<string> {
      const role = await setup.owner.post(`${project}/cloudProviderAccess`, { providerName: 'GCP' });
      const { roleId } = expectStatus<Document>(role, 200);
      const bucket = { bucketName: google.bucket, cloudProvider: 'GCP', roleId };
      return String(
        expectStatus<Document>(await setup.owner.post(`${project}/backup/exportBuckets`, bucket), 200)._id,
      );
    }

    const begin = (cluster: string, body: object) => setup.owner.post(`${cluster}/backup/exports`, body);
    const inState = (path: string, state: RegExp) =>
      until(
        `${path} ${state}`,
        () => setup.owner.get(path),
        (reply) => state.test(String(reply.json().state)),
      );

    async function exported(
      cluster: string,
      body: object,
    ): Promise<{ begun: ExportDocument; ended: ExportDocument }> {
      const begun = expectStatus<ExportDocument>(await begin(cluster, body), 200);
      const reply = await inState(`${cluster}/backup/exports/${begun.id}`, /Successful|Failed|Cancelled/);
      return { begun, ended: expectStatus<ExportDocument>(reply, 200) };
    }

    test('a snapshot of a replica set is exported to files that other tools can read', async (t) => {
      const { project, cluster, ports } = await fleet(t);
      const driver = await driverFor(setup, cluster);
      t.after(() => driver.close());
      const db = driver.db('harbour');
      await ports.insertMany([{ _id: 1, name: 'Riga' }]);
      await makeEveryKind(db);
      const snapshot = await taken(cluster);
      await ports.insertOne({ _id: 2, name: 'written later' });
      const exportBucketId = await s3Bucket(project);
      const customData = [{ key: 'who', value: 'asks' }];
      const body = { snapshotId: snapshot.id, exportBucketId, customData };
      const { begun, ended } = await exported(cluster, body);
      const { id, createdAt, prefix, links: _, ...queued } = begun;
      assert.deepEqual(queued, {
        ...body,
        exportStatus: { exportedCollections: 0, totalCollections: 0 },
        state: 'Queued',
      });
      assert.ok(Date.parse(createdAt) > 0);
      const ids = `exported_snapshots/${setup.bootstrap.orgId}/${idIn(project)}/fleet/`;
      assert.ok(
        prefix.startsWith(ids) && /^\d{4}-\d\d-\d\dT\d{4}\/\d{10}$/.test(prefix.slice(ids.length)),
        prefix,
      );
      const collections = (await db.listCollections({}, { nameOnly: true }).toArray())
        .filter(({ name, type }) => type !== 'view' && !/^system\.(?!js)/.test(name))
        .map(({ name }) => name);
      const progress = { exportedCollections: collections.length, totalCollections: collections.length };
      const { finishedAt, links: __, ...rest } = ended;
      assert.deepEqual(rest, {
        id,
        createdAt,
        prefix,
        ...queued,
        exportStatus: progress,
        state: 'Successful',
      });
      assert.ok(Date.parse(finishedAt ?? '') >= Date.parse(createdAt));

      const files = await filesBelow(prefix);
      assert.equal((await clouds.s3Object('exported_snapshots/.permissioncheck')).length, 0);
      const parts = files.map((name) => name.split('/')[1]);
      assert.deepEqual(new Set(parts.filter(Boolean)), new Set(collections.map(inPath)));
      const summary = JSON.parse((await clouds.s3Object(`${prefix}/.complete`)).toString()) as Document;
      const { orgName, groupName, snapshotInitiationDate, ...named } = summary;
      const clusterUniqueId = expectStatus<Document>(await setup.owner.get(cluster), 200).id;
      assert.deepEqual(named, {
        orgId: setup.bootstrap.orgId,
        groupId: idIn(project),
        clusterUniqueId,
        clusterName: 'fleet',
        totalFiles: files.length - 1,
        labels: [],
        customData,
      });
      assert.ok(orgName && groupName && Date.parse(String(snapshotInitiationDate)) > 0);

      assert.deepEqual(await linesOf(`${prefix}/harbour/ports/fleet.0.json.gz`), [{ _id: 1, name: 'Riga' }]);
      await compareAll(
        t,
        db,
        prefix,
        collections.filter((name) => name !== 'ports'),
      );
      const metadata = EJSON.parse(String(await clouds.s3Object(`${prefix}/harbour/indexed/metadata.json`)));
      const indexes = await db.collection('indexed').indexes();
      assert.equal(metadata.collectionName, 'indexed');
      assert.match(metadata.uuid, /^[0-9a-f]{32}$/);
      assert.deepEqual(
        metadata.indexes.map(({ name }: Document) => name),
        indexes.map(({ name }) => name),
      );
      const capped = EJSON.parse(String(await clouds.s3Object(`${prefix}/harbour/capped/metadata.json`)));
      assert.deepEqual([capped.options.capped, capped.type], [true, 'collection']);

      const again = await exported(cluster, { snapshotId: snapshot.id, exportBucketId });
      assert.equal(again.ended.state, 'Successful');
      assert.notEqual(again.ended.prefix, prefix);
      const list = expectStatus<ListDocument>(
        await setup.owner.get(`${cluster}/backup/exports?itemsPerPage=1`),
        200,
      );
      assert.deepEqual([list.totalCount, list.results.map((one) => one.id)], [2, [id]]);
      assert.ok((await eventTypes(setup.owner, project)).includes('CPS_EXPORT_SUCCESSFUL'));
    });

    const filesBelow = async (prefix: string) =>
      clouds
        .s3Objects()
        .filter((name) => name.startsWith(`${prefix}/`))
        .map((name) => name.slice(prefix.length + 1));

    const linesOf = async (name: string) =>
      gunzipSync(await clouds.s3Object(name))
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => EJSON.parse(line) as BsonDocument);

    /** Compares every document of every collection as BSON bytes, read by our codec and by PyMongo. */
    async function compareAll(t: TestContext, db: Db, prefix: string, names: readonly string[]) {
      const folder = await mkdtemp(join(tmpdir(), 'exported-'));
      t.after(() => rm(folder, REMOVAL));
      const there = new Set(clouds.s3Objects());
      const [files, wanted]: [string[], string[][]] = [[], []];
      for (const name of names) {
        const object = `${prefix}/harbour/${inPath(name)}/fleet.0.json.gz`;
        const documents = await db.collection(name).find({}, { raw: true }).toArray();
        const held = documents.map((raw) => Buffer.from(raw as unknown as Uint8Array).toString('hex'));
        assert.equal(there.has(object), held.length > 0, name);
        if (held.length === 0) continue;
        const packed = await clouds.s3Object(object);
        const lines = gunzipSync(packed).toString().trimEnd().split('\n');
        const read = lines.map((line) => serialize(EJSON.parse(line, { relaxed: false })));
        assert.deepEqual(read.map((bytes) => Buffer.from(bytes).toString('hex')).sort(), held.sort(), name);
        const file = join(folder, `${files.length}.json.gz`);
        await writeFile(file, packed);
        files.push(file);
        wanted.push(held);
      }
      await importAll(t, db, files, wanted);
      const missing = await pymongo.install();
      if (missing !== undefined) return t.diagnostic(`PyMongo was not tried: ${missing}`);
      const { code, stdout, stderr } = await runProgram(pymongo.python, [JSON_TO_BSON, ...files]);
      assert.equal(code, 0, stderr);
      const all = wanted.flatMap((held, place) => held.map((bytes) => `${place} ${bytes}`));
      assert.deepEqual(stdout.trim().split('\n').sort(), all.sort(), 'in PyMongo');
    }

    const idOf = (hex: string) =>
      EJSON.stringify(deserialize(Buffer.from(hex, 'hex'))._id, { relaxed: false });

    /** Imports the files to other collections beside the originals. */
    async function importAll(t: TestContext, db: Db, files: readonly string[], wanted: readonly string[][]) {
      if (!(await isOnPath('mongoimport')))
        return t.diagnostic('mongoimport was not tried, as it is not on the path');
      const { hosts } = db.client.options;
      const host = `${db.client.options.replicaSet}/${hosts.join()}`;
      const account = [`--username=${SAILOR.username}`, `--password=${SAILOR.password}`];
      const more = ['--authenticationDatabase=admin', '--db=imported'];
      for (const [place, file] of files.entries()) {
        const held = wanted[place] ?? [];
        // Skip time series: their measurements may share an id, and cannot be imported to a plain collection.
        if (new Set(held.map((hex) => idOf(hex))).size < held.length) continue;
        const text = file.replace(/\.gz$/, '');
        await writeFile(text, gunzipSync(await readFile(file)));
        const args = [`--host=${host}`, ...account, ...more, `--collection=c${place}`, `--file=${text}`];
        const { code, stderr } = await runProgram('mongoimport', args);
        assert.equal(code, 0, stderr);
        const found = db.client.db('imported').collection(`c${place}`).find({}, { raw: true });
        const read = (await found.toArray()).map((raw) =>
          Buffer.from(raw as unknown as Uint8Array).toString('hex'),
        );
        assert.deepEqual(read.sort(), [...held].sort(), `${file} by mongoimport`);
      }
    }

    test('each shard of a sharded cluster is exported', async (t) => {
      const project = await newProject(setup);
      const cluster = await newCluster(setup, project, 'wide', sharded);
      const roles = ['readWriteAnyDatabase', 'enableSharding'];
      await newUser(setup, project, SAILOR.username, {
        roles: roles.map((roleName) => ({ roleName, databaseName: 'admin' })),
      });
      expectStatus(await setup.owner.post(`${project}/accessList`, [{ ipAddress: '127.0.0.1' }]), 201);
      await applied(setup.owner, cluster);
      const driver = await driverFor(setup, cluster);
      t.after(() => driver.close());
      await driver
        .db('harbour')
        .collection<{ _id: number }>('ports')
        .insertMany([{ _id: 1 }, { _id: 2 }]);
      await driver.db('admin').command({ shardCollection: 'harbour.spread', key: { _id: 'hashed' } });
      const spread = Array.from({ length: 200 }, (_, _id) => ({ _id }));
      await driver.db('harbour').collection<{ _id: number }>('spread').insertMany(spread);
      const schedule = { useOrgAndGroupNamesInExportPrefix: true };
      expectStatus(await setup.owner.patch(`${cluster}/backup/schedule`, schedule), 200);
      const snapshot = await taken(cluster, '/shardedCluster');
      const exportBucketId = await s3Bucket(project);
      const { begun, ended } = await exported(cluster, { snapshotId: snapshot.id, exportBucketId });
      assert.equal(begun.exportStatus, undefined);
      assert.equal(ended.state, 'Successful');
      const components = ended.components as { exportId: string; replicaSetName: string }[];
      const shards = components.map(({ replicaSetName }) => replicaSetName);
      assert.equal(shards.length, 2);
      for (const { exportId } of components) {
        const one = expectStatus<ExportDocument>(
          await setup.owner.get(`${cluster}/backup/exports/${exportId}`),
          200,
        );
        assert.deepEqual([one.id, one.components], [exportId, undefined]);
        assert.deepEqual(one.exportStatus, { exportedCollections: 2, totalCollections: 2 });
      }
      const { name } = expectStatus<Document>(await setup.owner.get(project), 200);
      assert.equal(ended.prefix.split('/')[2], name);
      const ids: number[] = [];
      for (const file of await filesBelow(ended.prefix)) {
        if (!/^harbour\/spread\/.*gz$/.test(file)) continue;
        assert.ok(shards.includes(file.slice('harbour/spread/'.length, -'.0.json.gz'.length)), file);
        for (const { _id } of await linesOf(`${ended.prefix}/${file}`)) ids.push(Number(_id));
      }
      assert.deepEqual(
        ids.sort((a, b) => a - b),
        spread.map(({ _id }) => _id),
      );
    });

    test('rejects snapshots that cannot be exported', async (t) => {
      const { project, cluster, ports } = await fleet(t);
      await ports.insertOne({ _id: 1, name: 'Riga' });
      const { id: snapshotId } = await taken(cluster);
      const exportBucketId = await googleBucket(project);
      const body = { snapshotId, exportBucketId };
      expectFault(await begin(cluster, { snapshotId }), 400, 'MISSING_ATTRIBUTE', ['exportBucketId']);
      expectFault(await begin(cluster, { ...body, exportBucketId: ABSENT }), 404, 'EXPORT_BUCKET_NOT_FOUND', [
        ABSENT,
      ]);
      expectFault(await begin(cluster, { ...body, snapshotId: ABSENT }), 404, 'SNAPSHOT_NOT_FOUND', [
        ABSENT,
        'fleet',
      ]);
      const absent = await setup.owner.get(`${cluster}/backup/exports/${ABSENT}`);
      expectFault(absent, 404, 'EXPORT_JOB_NOT_FOUND', [ABSENT, 'fleet']);

      const gate = Promise.withResolvers<undefined>();
      google.trouble = (name) => (name.endsWith('metadata.json') ? gate.promise : undefined);
      const { id } = expectStatus<ExportDocument>(await begin(cluster, body), 200);
      expectFault(await begin(cluster, body), 400, 'CANNOT_DOWNLOAD_SNAPSHOT_CONCURRENTLY');
      const bucket = `${project}/backup/exportBuckets/${exportBucketId}`;
      expectFault(await setup.owner.delete(bucket), 400, 'EXPORT_BUCKET_DELETE_FAILED', [exportBucketId]);
      await inState(`${cluster}/backup/exports/${id}`, /InProgress/);
      const snapshot = `${cluster}/backup/snapshots/${snapshotId}`;
      const inUse = [409, 'SNAPSHOT_IN_USE', [snapshotId, 'exported']] as const;
      expectFault(await setup.owner.delete(snapshot), ...inUse);
      expectFault(await setup.owner.patch(cluster, { providerBackupEnabled: false }), ...inUse);
      gate.resolve(undefined);
      google.trouble = undefined;
      const ended = await inState(`${cluster}/backup/exports/${id}`, /Successful/);
      assert.ok(ended.json().finishedAt);
      expectStatus(await setup.owner.delete(snapshot), 204);
      expectStatus(await setup.owner.delete(bucket), 204);
    });

    test('denied access ends an export, and other errors are retried', async (t) => {
      const { project, cluster, driver, ports } = await fleet(t);
      await ports.insertOne({ _id: 1, name: 'Riga' });
      await driver.db('harbour').collection<{ _id: number }>('quays').insertOne({ _id: 1 });
      const { id: snapshotId } = await taken(cluster);
      const exportBucketId = await googleBucket(project);
      // Deletes the snapshot in the middle of its export. By then, the files of the first collection exist; they stay.
      google.trouble = (name) => (/quays.*gz$/.test(name) ? 403 : undefined);
      const refused = await exported(cluster, { snapshotId, exportBucketId });
      assert.equal(refused.ended.state, 'Failed');
      assert.deepEqual(refused.ended.stateReason, {
        errorCode: 'CLOUD_PROVIDER_ACCESS_ROLE_NOT_AUTHORIZED',
        message: `the bucket ${google.bucket} refuses access (403)`,
      });
      assert.deepEqual(refused.ended.exportStatus, { exportedCollections: 1, totalCollections: 2 });
      const kept = [...google.objects.keys()].filter((name) => name.startsWith(refused.ended.prefix));
      assert.deepEqual(kept.map((name) => name.slice(refused.ended.prefix.length)).sort(), [
        '/harbour/ports/fleet.0.json.gz',
        '/harbour/ports/metadata.json',
      ]);
      assert.ok((await eventTypes(setup.owner, project)).includes('CPS_EXPORT_FAILED'));
      let asked = 0;
      google.trouble = (name) => (name.endsWith('.gz') && asked++ < 1 ? 503 : undefined);
      const erred = await exported(cluster, { snapshotId, exportBucketId });
      assert.equal(erred.ended.state, 'Successful');
      assert.ok(google.objects.has(`${erred.ended.prefix}/.complete`));
      google.trouble = undefined;
    });

    test('an encrypted snapshot is exported, also from a copy if it is damaged', async (t) => {
      const project = await newProject(setup);
      const awsKms = {
        accessKeyID: 'AKIAIOSFODNN7EXAMPLE',
        customerMasterKeyID: 'arn:aws:kms:us-east-1:123456789012:key/harbour',
        enabled: true,
        region: 'US_EAST_1',
        secretAccessKey: 'wJalrXUtnFEMI/K7MDENG',
      };
      expectStatus(await setup.owner.patch(`${project}/encryptionAtRest`, { awsKms }), 200);
      const sealed = { ...backedUp, encryptionAtRestProvider: 'AWS' };
      const cluster = await newCluster(setup, project, 'fleet', sealed);
      await allowAccess(setup, project, cluster);
      const driver = await driverFor(setup, cluster);
      t.after(() => driver.close());
      await driver
        .db('harbour')
        .collection<{ _id: number }>('ports')
        .insertMany([{ _id: 1 }, { _id: 2 }]);
      const { id: clusterId, replicationSpecs } = expectStatus<Document>(await setup.owner.get(cluster), 200);
      const [{ id: zoneId } = {}] = replicationSpecs as Document[];
      const copy = { frequencies: ['ON_DEMAND'], regionName: 'EU_WEST_1', zoneId };
      expectStatus(await setup.owner.patch(`${cluster}/backup/schedule`, { copySettings: [copy] }), 200);
      const { id: snapshotId, masterKeyUUID } = await taken(cluster);
      assert.ok(masterKeyUUID);
      const exportBucketId = await googleBucket(project);
      const check = async () => {
        const { ended } = await exported(cluster, { snapshotId, exportBucketId });
        assert.equal(ended.state, 'Successful', JSON.stringify(ended));
        const packed = google.objects.get(`${ended.prefix}/harbour/ports/fleet.0.json.gz`);
        const lines = gunzipSync(packed ?? '')
          .toString()
          .trimEnd()
          .split('\n');
        assert.deepEqual(lines.map((line) => Number(EJSON.parse(line)._id)).sort(), [1, 2]);
      };
      await check();
      await until(
        'the copy',
        () => setup.owner.get(`${cluster}/backup/snapshots/${snapshotId}`),
        (reply) => reply.json<{ copyRegions: string[] }>().copyRegions.length === 1,
      );
      const store = join(setup.instances[0]?.dataDirectory ?? '', 'snapshots');
      await rm(join(String(setup.settings['snapshot-store'] ?? store), String(clusterId), 'chunks'), {
        recursive: true,
      });
      await check();
    });

    test('a killed service completes its exports after a restart', async (t) => {
      const { project, cluster, ports } = await fleet(t);
      await ports.insertOne({ _id: 1, name: 'Riga' });
      const { id: snapshotId } = await taken(cluster);
      const exportBucketId = await googleBucket(project);
      for (const step of ['metadata.json', '.complete']) {
        const reached = Promise.withResolvers<void>();
        const gate = Promise.withResolvers<undefined>();
        google.trouble = (name) => {
          if (!name.endsWith(step)) return undefined;
          reached.resolve();
          return gate.promise;
        };
        const { id, prefix } = expectStatus<ExportDocument>(
          await begin(cluster, { snapshotId, exportBucketId }),
          200,
        );
        await reached.promise;
        await setup.instances[0]?.kill();
        assert.ok(!google.objects.has(`${prefix}/.complete`), `killed at ${step}`);
        google.trouble = undefined;
        gate.resolve(undefined);
        await setup.start();
        const ended = await inState(`${cluster}/backup/exports/${id}`, /Successful|Failed|Cancelled/);
        assert.equal(ended.json().state, 'Successful', step);
        const names = [...google.objects.keys()].filter((name) => name.startsWith(`${prefix}/`));
        const files = ['.complete', 'harbour/ports/fleet.0.json.gz', 'harbour/ports/metadata.json'];
        assert.deepEqual(names.map((name) => name.slice(prefix.length + 1)).sort(), files);
        const summary = JSON.parse(String(google.objects.get(`${prefix}/.complete`)));
        assert.equal(summary.totalFiles, files.length - 1);
      }
    });

    test('a schedule exports automatically', async (t) => {
      const { project, cluster, ports } = await fleet(t);
      await ports.insertOne({ _id: 1, name: 'Riga' });
      const exportBucketId = await googleBucket(project);
      const path = `${cluster}/backup/schedule`;
      const change = (body: object) => setup.owner.patch(path, body);
      expectFault(await change({ autoExportEnabled: true }), 400, 'MISSING_ATTRIBUTE', ['export']);
      const wanted = { exportBucketId, frequencyType: 'monthly' };
      expectFault(
        await change({ autoExportEnabled: true, export: { ...wanted, exportBucketId: ABSENT } }),
        404,
        'EXPORT_BUCKET_NOT_FOUND',
        [ABSENT],
      );
      const changed = expectStatus<Document>(await change({ autoExportEnabled: true, export: wanted }), 200);
      assert.deepEqual([changed.autoExportEnabled, changed.export], [true, wanted]);
      const policies = changed.policies as { id: string; policyItems: Document[] }[];
      const rare = policies.map(({ id, policyItems }) => ({
        id,
        policyItems: policyItems.filter(({ frequencyType }) => frequencyType !== 'monthly'),
      }));
      expectFault(await change({ policies: rare }), 400, 'INVALID_ENUM_VALUE', ['monthly']);
      const bucket = `${project}/backup/exportBuckets/${exportBucketId}`;
      expectFault(await setup.owner.delete(bucket), 400, 'EXPORT_BUCKET_DELETE_FAILED', [exportBucketId]);

      expectStatus(await setup.operator.patch('/operator/v1/clock', { advanceSeconds: 31 * DAY_S }), 200);
      const list = () => setup.owner.get(`${cluster}/backup/exports`);
      const reply = await until('the export of the month', list, (answer) =>
        answer.json<ListDocument>().results.some(({ state }) => state === 'Successful'),
      );
      const [only, ...more] = reply.json<ListDocument>().results as unknown as ExportDocument[];
      assert.deepEqual([only?.state, more], ['Successful', []]);
      const snapshot = expectStatus<Document>(
        await setup.owner.get(`${cluster}/backup/snapshots/${only?.snapshotId}`),
        200,
      );
      assert.equal(snapshot.frequencyType, 'monthly');
      const ended = expectStatus<Document>(await setup.owner.delete(path), 200);
      assert.deepEqual([ended.autoExportEnabled, ended.export], [false, wanted]);
      expectStatus(await setup.owner.delete(bucket), 204);
    });
  },
  { ...clouds.options, expectedErrors: /a task has failed|could not be read from one place/ },
);
