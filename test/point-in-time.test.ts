import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Timestamp } from 'mongodb';
import { backedUp, backupsOf, inSnapshotStore, into } from './support/backups.ts';
import { allowAccess, driverFor, newUser, SAILOR } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { onOneSetup, type Setup } from './support/setups.ts';
import {
  applied,
  clusterBody,
  gone,
  idIn,
  idle,
  type ListDocument,
  newCluster,
  newProject,
} from './support/stage.ts';

const DAY_S = 86_400;
const REGION = join('regions', 'AWS', 'EU_WEST_1');

interface Schedule {
  readonly copySettings: readonly { readonly shouldCopyOplogs: boolean }[];
}

interface Zones {
  readonly replicationSpecs: readonly [{ readonly id: string }];
}

const continuous = { ...backedUp, pitEnabled: true };

const logged = { expectedErrors: /could not be read from one place/ };

const body = (setup: Setup) => {
  const { fleet, taken, restored } = backupsOf(setup);
  const to = (project: string, name: string, moment: object) => {
    const target = { targetGroupId: idIn(project), targetClusterName: name };
    return { deliveryType: 'pointInTime', ...target, ...moment };
  };
  const entry = ({ t, i }: Timestamp) => ({ oplogTs: t, oplogInc: i });
  const folderOf = async (cluster: string, region: string, part: string) => {
    const { id } = expectStatus<{ id: string }>(await setup.owner.get(cluster), 200);
    return inSnapshotStore(setup, region, id, part);
  };
  const archived = async (cluster: string, region = '') =>
    readdir(await folderOf(cluster, region, 'oplog')).catch(() => [] as string[]);

  test('restore a cluster to an oplog entry or to the end of a second', async (t) => {
    const { project, cluster, driver: fleets, ports } = await fleet(t, continuous);
    const jobs = `${cluster}/backup/restoreJobs`;
    const now = Math.floor(Date.now() / 1000);
    const requestRestore = (moment: object) => setup.owner.post(jobs, to(project, 'fleet', moment));
    const refused = async (moment: object, status: number, code: string) => {
      const reply = await requestRestore(moment);
      assert.deepEqual([reply.status, reply.json().errorCode], [status, code]);
    };
    await refused({ pointInTimeUTCSeconds: now }, 404, 'UNABLE_T0_FIND_SNAPSHOT_PRIOR_TO_PIT_RESTORE_OPTIME');
    await ports.insertOne({ _id: 1, name: 'Riga' });
    const schedule = `${cluster}/backup/schedule`;
    const { replicationSpecs } = expectStatus<Zones>(await setup.owner.get(cluster), 200);
    const place = { cloudProvider: 'AWS', regionName: 'EU_WEST_1', zoneId: replicationSpecs[0].id };
    const wanted = { copySettings: [{ ...place, frequencies: ['ON_DEMAND'], shouldCopyOplogs: true }] };
    const { copySettings } = expectStatus<Schedule>(await setup.owner.patch(schedule, wanted), 200);
    assert.equal(copySettings[0]?.shouldCopyOplogs, true);
    const snapshot = await taken(cluster);
    await ports.insertMany([
      { _id: 2, name: 'Gdańsk' },
      { _id: 3, name: 'Visby' },
    ]);
    await ports.createIndex({ name: 1 });
    const { operationTime } = await fleets.db('admin').command({ ping: 1 });
    await ports.updateMany({}, { $set: { name: 'lost' } });
    await ports.drop();

    const { begun, ended } = await restored(cluster, to(project, 'fleet', entry(operationTime)));
    const { t: seconds, i: increment } = operationTime as Timestamp;
    assert.deepEqual(
      [begun.deliveryType, begun.desiredTimestamp, begun.oplogTs, begun.oplogInc, begun.snapshotId],
      [
        'pointInTime',
        { date: new Date(seconds * 1000).toISOString().replace('.000Z', 'Z'), increment, time: seconds },
        seconds,
        increment,
        snapshot.id,
      ],
    );
    assert.equal(ended.failed, false);
    await idle(setup.owner, cluster);
    const names = async () => (await ports.find().sort({ _id: 1 }).toArray()).map(({ name }) => name);
    assert.deepEqual(await names(), ['Riga', 'Gdańsk', 'Visby']);
    assert.equal((await ports.indexes()).length, 2);

    // The archive still contains the data from before the restore, so another restore to the same second restores this
    // data.
    const other = await newCluster(setup, project, 'other', backedUp);
    await ports.insertOne({ _id: 4, name: 'Kiel' });
    const again = to(project, 'other', { pointInTimeUTCSeconds: seconds - 1 });
    if (seconds - 1 >= Math.ceil(Date.parse(String(snapshot.createdAt)) / 1000)) {
      assert.equal((await restored(cluster, again)).ended.failed, false);
    }
    const driver = await driverFor(setup, other);
    t.after(() => driver.close());
    const first = await restored(cluster, to(project, 'other', entry(operationTime)));
    assert.equal(first.ended.failed, false);
    await idle(setup.owner, other);
    assert.equal(await driver.db('harbour').collection('ports').countDocuments(), 3);
    const names_ = await archived(cluster);
    assert.ok(names_.length > 0);

    // Delete the snapshot and the archive from the snapshot store. The region still has copies.
    await until(
      'the copies of the archive',
      () => archived(cluster, REGION),
      (copied) => names_.every((name) => copied.includes(name)),
    );
    await rm(await folderOf(cluster, '', 'chunks'), { recursive: true });
    await rm(await folderOf(cluster, '', 'oplog'), { recursive: true });
    await driver.db('harbour').collection('ports').drop();
    const third = await restored(cluster, to(project, 'other', entry(operationTime)));
    assert.equal(third.ended.failed, false);
    await idle(setup.owner, other);
    assert.equal(await driver.db('harbour').collection('ports').countDocuments(), 3);

    for (const [moment, status, code] of [
      [{ pointInTimeUTCSeconds: now + DAY_S }, 400, 'INVALID_PIT_RESTORE_TIME'],
      [{ pointInTimeUTCSeconds: now - 8 * DAY_S }, 400, 'INVALID_PIT_RESTORE_TIME'],
      [{ pointInTimeUTCSeconds: now - DAY_S }, 404, 'UNABLE_T0_FIND_SNAPSHOT_PRIOR_TO_PIT_RESTORE_OPTIME'],
      [{}, 400, 'MISSING_ONE_OF_ATTRIBUTES'],
      [{ oplogTs: now }, 400, 'MISSING_ATTRIBUTE'],
      [{ oplogInc: 1 }, 400, 'MISSING_ATTRIBUTE'],
      [{ pointInTimeUTCSeconds: now, oplogTs: now, oplogInc: 1 }, 400, 'INVALID_ATTRIBUTE'],
      [{ pointInTimeUTCSeconds: now, snapshotId: snapshot.id }, 400, 'INVALID_ATTRIBUTE'],
      [{ pointInTimeUTCSeconds: now, targetGroupId: undefined }, 400, 'MISSING_ATTRIBUTE'],
      [{ ...entry(operationTime), targetClusterName: 'none' }, 404, 'CLUSTER_NOT_FOUND'],
    ] as const)
      await refused(moment, status, code);

    expectStatus(await setup.owner.patch(cluster, { pitEnabled: false }), 200);
    await idle(setup.owner, cluster);
    await refused(entry(operationTime), 400, 'INVALID_PIT_RESTORE_TIME');
    await until(
      'the archive gone',
      async () => [...(await archived(cluster)), ...(await archived(cluster, REGION))],
      (left) => left.length === 0,
    );
    const after = expectStatus<Schedule>(await setup.owner.get(schedule), 200).copySettings;
    assert.equal(after[0]?.shouldCopyOplogs, false);
    const refusal = await setup.owner.patch(schedule, wanted);
    assert.deepEqual([refusal.status, refusal.json().errorCode], [400, 'INVALID_BACKUP_POLICY']);
  });

  test('restore a sharded cluster to a point in time, or from a snapshot, into a cluster of another project', async (t) => {
    const wide = { clusterType: 'SHARDED', numShards: 2 };
    const { project, cluster, driver, ports } = await fleet(t, { ...continuous, ...wide });
    await newUser(setup, project, 'pilot', {
      roles: [
        { roleName: 'enableSharding', databaseName: 'admin' },
        { roleName: 'readWriteAnyDatabase', databaseName: 'admin' },
      ],
    });
    await applied(setup.owner, cluster);
    const pilot = await driverFor(setup, cluster, { auth: { ...SAILOR, username: 'pilot' } });
    t.after(() => pilot.close());
    await pilot.db('admin').command({ shardCollection: 'harbour.ports', key: { _id: 'hashed' } });
    await ports.insertMany(Array.from({ length: 50 }, (_, _id) => ({ _id, name: 'early' })));
    const snapshot = await taken(cluster, '/shardedCluster');
    await ports.updateMany({ _id: { $lt: 10 } }, { $set: { name: 'late' } });
    const { operationTime } = await driver.db('admin').command({ ping: 1 });
    await ports.deleteMany({});

    const elsewhere = await newProject(setup);
    const mirror = await newCluster(setup, elsewhere, 'mirror', { ...backedUp, ...wide });
    await allowAccess(setup, elsewhere, mirror);
    const reader = await driverFor(setup, mirror);
    t.after(() => reader.close());
    const read = () => reader.db('harbour').collection('ports');
    const late = async () => [await read().countDocuments(), await read().countDocuments({ name: 'late' })];

    const moment = await restored(cluster, to(elsewhere, 'mirror', entry(operationTime)));
    assert.deepEqual([moment.begun.targetGroupId, moment.ended.failed], [idIn(elsewhere), false]);
    await idle(setup.owner, mirror);
    assert.deepEqual(await late(), [50, 10]);
    const whole = await restored(cluster, into(elsewhere, 'mirror', snapshot.id));
    assert.equal(whole.ended.failed, false);
    await idle(setup.owner, mirror);
    assert.deepEqual(await late(), [50, 0]);
    assert.equal(await ports.countDocuments(), 0, 'the source stays as it is');
    for (const each of [cluster, mirror]) {
      const jobs = `${each}/backup/restoreJobs`;
      const listed = expectStatus<ListDocument>(await setup.owner.get(jobs), 200);
      const both = [moment.begun.id, whole.begun.id];
      assert.deepEqual([listed.totalCount, listed.results.map(({ id }) => id)], [2, both]);
      assert.equal(
        expectStatus(await setup.owner.get(`${jobs}/${moment.begun.id}`), 200).id,
        moment.begun.id,
      );
    }

    expectStatus(
      await setup.owner.post(
        `${elsewhere}/clusters`,
        clusterBody('narrow', { ...backedUp, ...wide, numShards: 1 }),
      ),
      201,
    );
    for (const body of [
      to(elsewhere, 'narrow', entry(operationTime)),
      { deliveryType: 'automated', ...into(elsewhere, 'narrow', snapshot.id) },
    ])
      expectFault(
        await setup.owner.post(`${cluster}/backup/restoreJobs`, body),
        409,
        'RESTORE_INITIATION_FAILED',
        ['the target has 1 shards, but the snapshot has 2'],
      );
  });

  test('reach the last entry of a deleted cluster whose backups are retained', async (t) => {
    const { project, cluster, driver: fleets, ports } = await fleet(t, continuous);
    const jobs = `${cluster}/backup/restoreJobs`;
    await ports.insertOne({ _id: 1, name: 'Riga' });
    await taken(cluster);
    const policy = `${project}/backupCompliancePolicy`;
    const person = { authorizedUserFirstName: 'Ada', authorizedUserLastName: 'Gray' };
    const hourly = {
      frequencyInterval: 6,
      frequencyType: 'hourly',
      retentionUnit: 'days',
      retentionValue: 7,
    };
    const held = { ...person, authorizedEmail: 'ada@example.com', scheduledPolicyItems: [hourly] };
    expectStatus(await setup.owner.send('PUT', policy, held), 200);
    await until(
      'the policy',
      () => setup.owner.get(policy),
      (answer) => answer.json().state === 'ACTIVE',
    );
    await ports.insertOne({ _id: 2, name: 'Visby' });
    const { operationTime } = await fleets.db('admin').command({ ping: 1 });
    expectStatus(await setup.owner.delete(cluster), 202);
    await gone(setup.owner, cluster);
    const other = await newCluster(setup, project, 'other', backedUp);
    const job = expectStatus<{ id: string }>(
      await setup.owner.post(jobs, to(project, 'other', entry(operationTime))),
      200,
    );
    const ended = await until(
      'the restore',
      () => setup.owner.get(`${jobs}/${job.id}`),
      (answer) => answer.json().finishedAt !== undefined,
    );
    assert.equal(ended.json().failed, false);
    await idle(setup.owner, other);
    const driver = await driverFor(setup, other);
    t.after(() => driver.close());
    assert.equal(await driver.db('harbour').collection('ports').countDocuments(), 2);
  });
};

onOneSetup('SQLite, one instance', 'restores to a point in time', body, logged);
