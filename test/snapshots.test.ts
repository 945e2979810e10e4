import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  backedUp,
  backupsOf,
  holdRestores,
  inSnapshotStore,
  into,
  type SnapshotDocument,
} from './support/backups.ts';
import { driverFor } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { idIn, idle, type ListDocument, newCluster } from './support/stage.ts';
import { eventTypes } from './support/users.ts';

const DAY_MS = 86_400_000;
const ABSENT = '0123456789abcdef01234567';
const sharded = { ...backedUp, clusterType: 'SHARDED', numShards: 2 };

const logged = { expectedErrors: /not in the snapshot store.*a task has failed/ };

onOneSetup(
  'SQLite, one instance',
  'snapshots and restores',
  (setup) => {
    const { fleet, taken, restored, relationsOf } = backupsOf(setup);

    test('a restore recovers a dropped collection', async (t) => {
      const { project, cluster, ports } = await fleet(t);
      await ports.insertMany([
        { _id: 1, name: 'Riga' },
        { _id: 2, name: 'Gdańsk' },
      ]);
      await ports.createIndex({ name: 1 });
      const definition = { mappings: { dynamic: true } };
      await ports.createSearchIndex({ name: 'words', definition });
      const path = `${cluster}/backup/snapshots`;
      const requested = expectStatus<Record<string, unknown>>(
        await setup.owner.post(path, { description: 'before the storm', retentionInDays: 3 }),
        200,
      );
      const { id, expiresAt: _, links: __, ...queued } = requested;
      assert.deepEqual(queued, {
        copyRegions: [],
        description: 'before the storm',
        frequencyType: 'ondemand',
        policyItems: [],
        replicaSetName: 'fleet',
        snapshotType: 'onDemand',
        status: 'queued',
        storageSizeBytes: 0,
        type: 'replicaSet',
      });
      const reply = await until(
        'the end of the snapshot',
        () => setup.owner.get(`${path}/${id}`),
        (answer) => answer.json().status === 'completed',
      );
      const snapshot = expectStatus<SnapshotDocument & Record<string, unknown>>(reply, 200);
      assert.match(String(snapshot.dbdVersion), /^\d+\.\d+\.\d+$/);
      assert.equal(snapshot.cloudProvider, 'AWS');
      assert.ok(snapshot.storageSizeBytes > 0);
      assert.equal(Date.parse(snapshot.expiresAt) - Date.parse(snapshot.createdAt ?? ''), 3 * DAY_MS);
      await ports.drop();
      const { begun, ended } = await restored(cluster, into(project, 'fleet', snapshot.id));
      const { id: jobId, links, ...job } = begun;
      assert.deepEqual(job, {
        cancelled: false,
        deliveryType: 'automated',
        deliveryUrl: [],
        desiredTimestamp: { date: null, increment: null, time: null },
        expired: false,
        failed: false,
        snapshotId: snapshot.id,
        targetClusterName: 'fleet',
        targetGroupId: idIn(project),
        timestamp: snapshot.createdAt,
      });
      assert.ok(jobId && links);
      assert.equal(ended.failed, false);
      await idle(setup.owner, cluster);
      assert.deepEqual(await ports.find().sort({ _id: 1 }).toArray(), [
        { _id: 1, name: 'Riga' },
        { _id: 2, name: 'Gdańsk' },
      ]);
      assert.equal((await ports.indexes()).length, 2);
      const types = await eventTypes(setup.owner, project);
      for (const type of [
        'CPS_ON_DEMAND_SNAPSHOT_REQUESTED',
        'CPS_SNAPSHOT_STARTED',
        'CPS_SNAPSHOT_IN_PROGRESS_AUDIT',
        'CPS_SNAPSHOT_SUCCESSFUL',
        'CPS_SNAPSHOT_COMPLETED_AUDIT',
        'CPS_RESTORE_REQUESTED_AUDIT',
        'CPS_RESTORE_SUCCESSFUL',
      ])
        assert.ok(types.includes(type), type);
      await until(
        'the event of search indexes',
        () => eventTypes(setup.owner, project),
        (all) => all.includes('FTS_INDEXES_RESTORED'),
      );
      const search = { $search: { index: 'words', text: { query: 'riga', path: 'name' } } };
      const found = () => ports.aggregate([search]).toArray();
      await until('the search index', found, ([one]) => one?.name === 'Riga');
      const jobs = expectStatus<ListDocument>(await setup.owner.get(`${cluster}/backup/restoreJobs`), 200);
      assert.deepEqual([jobs.totalCount, jobs.results.map((listed) => listed.id)], [1, [jobId]]);
      expectFault(
        await setup.owner.delete(`${cluster}/backup/restoreJobs/${jobId}`),
        400,
        'CANNOT_CANCEL_AUTOMATED_RESTORE',
      );
    });

    test('a sharded cluster is restored in place, and to another cluster', async (t) => {
      const { project, cluster, ports } = await fleet(t, sharded);
      await ports.insertOne({ _id: 1, name: 'Tallinn' });
      const snapshot = await taken(cluster, '/shardedCluster');
      const members = snapshot.members as { id: string; replicaSetName: string; cloudProvider: string }[];
      const ids = members.map(({ id }) => id);
      assert.deepEqual(snapshot.snapshotIds, ids);
      assert.deepEqual([snapshot.type, snapshot.configServerType], ['shardedCluster', 'EMBEDDED']);
      assert.equal(members.length, 2);
      assert.ok(members.every(({ replicaSetName }) => /-shard-[01]$/.test(replicaSetName)));
      const other = await newCluster(setup, project, 'other', sharded);
      const { begun, ended } = await restored(cluster, into(project, 'other', snapshot.id));
      assert.equal(ended.failed, false);
      await idle(setup.owner, other);
      const job = `backup/restoreJobs/${begun.id}`;
      const links = ['self', 'cluster', 'group', 'snapshot'];
      assert.deepEqual(await relationsOf(`${cluster}/${job}`), links);
      assert.deepEqual(await relationsOf(`${other}/${job}`), links.slice(0, -1));
      const driver = await driverFor(setup, other);
      t.after(() => driver.close());
      assert.equal((await driver.db('harbour').collection('ports').findOne({}))?.name, 'Tallinn');

      const paths = `${cluster}/backup/snapshots`;
      const list = expectStatus<ListDocument>(await setup.owner.get(`${paths}/shardedClusters`), 200);
      assert.deepEqual([list.totalCount, list.results[0]?.id], [1, snapshot.id]);
      expectFault(await setup.owner.get(paths), 400, 'INCORRECT_BACKUP_API_ENDPOINT', [
        `${paths}/shardedClusters`,
      ]);
      const [member] = ids;
      expectFault(
        await setup.owner.delete(`${paths}/shardedCluster/${member}`),
        403,
        'CANNOT_DELETE_FROM_CLUSTER_SNAPSHOT',
      );
      const longer = { retentionUnit: 'WEEKS', retentionValue: 2 };
      expectFault(
        await setup.owner.patch(`${paths}/${member}`, longer),
        403,
        'CANNOT_MODIFY_CLUSTER_SNAPSHOT',
      );
      const replicaSet = await newCluster(setup, project, 'single', backedUp);
      const body = { deliveryType: 'automated', ...into(project, 'single', snapshot.id) };
      expectFault(
        await setup.owner.post(`${cluster}/backup/restoreJobs`, body),
        409,
        'RESTORE_INITIATION_FAILED',
        ['the snapshot is sharded, but the target is not'],
      );
      assert.ok(replicaSet);
    });

    test('a snapshot is kept for its retention, then deleted with its files', async (t) => {
      const { cluster, ports } = await fleet(t);
      await ports.insertOne({ _id: 1, name: 'Visby' });
      const first = await taken(cluster);
      const second = await taken(cluster, '', {});
      assert.equal(Date.parse(second.expiresAt) - Date.parse(second.createdAt ?? ''), 7 * DAY_MS);
      const { id } = await idle(setup.owner, cluster);
      const folder = inSnapshotStore(setup, id);
      const manifests = async () => (await readdir(join(folder, 'snapshots'))).toSorted();
      assert.deepEqual(await manifests(), [`${first.id}.json`, `${second.id}.json`].toSorted());
      const longer = { retentionUnit: 'MONTHS', retentionValue: 2 };
      const path = `${cluster}/backup/snapshots`;
      const kept = expectStatus<SnapshotDocument>(
        await setup.owner.patch(`${path}/${second.id}`, longer),
        200,
      );
      assert.equal(Date.parse(kept.expiresAt) - Date.parse(kept.createdAt ?? ''), 62 * DAY_MS);
      expectFault(
        await setup.owner.patch(`${path}/${second.id}`, { ...longer, retentionValue: 0 }),
        400,
        'BACKUP_SNAPSHOT_RETENTION_VALUE_INVALID',
      );
      expectStatus(await setup.owner.delete(`${path}/${first.id}`), 204);
      expectFault(await setup.owner.get(`${path}/${first.id}`), 404, 'SNAPSHOT_NOT_FOUND', [
        first.id,
        'fleet',
      ]);
      await until('its manifest gone', manifests, (names) => names.length === 1);
      const page = expectStatus<ListDocument>(await setup.owner.get(path), 200);
      assert.deepEqual([page.totalCount, page.results.map((listed) => listed.id)], [1, [second.id]]);
      expectStatus(await setup.owner.delete(cluster), 202);
      await until(
        'its folder empty',
        () => readdir(join(folder, 'chunks')),
        (names) => names.length === 0,
      );
    });

    test('a damaged snapshot fails its restore, and the cluster stays as it is', async (t) => {
      const { project, cluster, ports } = await fleet(t);
      await ports.insertOne({ _id: 1, name: 'Kotka' });
      const snapshot = await taken(cluster);
      await ports.insertOne({ _id: 2, name: 'Turku' });
      const { id } = await idle(setup.owner, cluster);
      const chunks = inSnapshotStore(setup, id, 'chunks');
      await rm(chunks, { recursive: true });
      const { ended } = await restored(cluster, into(project, 'fleet', snapshot.id));
      assert.equal(ended.failed, true);
      await idle(setup.owner, cluster);
      assert.equal(await ports.countDocuments(), 2);
    });

    test('rejects impossible requests with a reason', async (t) => {
      const { project, cluster } = await fleet(t);
      const snapshots = `${cluster}/backup/snapshots`;
      const jobs = `${cluster}/backup/restoreJobs`;
      const plain = await newCluster(setup, project, 'plain');
      expectFault(await setup.owner.post(`${plain}/backup/snapshots`, {}), 404, 'BACKUP_CONFIG_NOT_FOUND', [
        'plain',
        idIn(project),
      ]);
      expectFault(await setup.owner.get(`${snapshots}/${ABSENT}`), 404, 'SNAPSHOT_NOT_FOUND', [
        ABSENT,
        'fleet',
      ]);
      expectFault(await setup.owner.get(`${jobs}/${ABSENT}`), 404, 'RESTORE_JOB_NOT_FOUND', [
        ABSENT,
        'fleet',
      ]);
      const { id } = await taken(cluster);
      const body = { deliveryType: 'automated', ...into(project, 'fleet', id) };
      for (const name of ['snapshotId', 'targetClusterName', 'targetGroupId']) {
        expectFault(await setup.owner.post(jobs, { ...body, [name]: undefined }), 400, 'MISSING_ATTRIBUTE', [
          name,
        ]);
      }
      expectFault(
        await setup.owner.post(jobs, { ...body, pointInTimeUTCSeconds: 1_800_000_000 }),
        400,
        'INVALID_ATTRIBUTE',
        ['pointInTimeUTCSeconds'],
      );
      expectFault(
        await setup.owner.post(jobs, { ...body, targetClusterName: 'none' }),
        404,
        'CLUSTER_NOT_FOUND',
        ['none', idIn(project)],
      );
      expectFault(
        await setup.owner.post(jobs, { ...body, targetGroupId: ABSENT }),
        403,
        'CANNOT_RESTORE_TO_TARGET',
      );
      // Hold the restores. Without this, the first restore could end before the service reads the second request.
      await holdRestores(setup, t, project);
      const [one, two] = await Promise.all([setup.owner.post(jobs, body), setup.owner.post(jobs, body)]);
      assert.deepEqual([one?.status, two?.status].toSorted(), [200, 409]);
    });
  },
  logged,
);
