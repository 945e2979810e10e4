import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Timestamp } from 'mongodb';
import { holdRestores } from './support/backups.ts';
import { driverFor, newUser, SAILOR } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { own } from './support/setups.ts';
import { clusterBody, idIn, idle, type ListDocument, newCluster, newProject } from './support/stage.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ABSENT = '0123456789abcdef01234567';
const place = { backingProviderName: 'AWS', regionName: 'US_EAST_1' };

interface Port {
  readonly _id: number;
  readonly name: string;
}

own.onOneSetup('SQLite, one instance', 'backups of flex clusters and serverless instances', (setup) => {
  const advance = async (ms: number) => {
    expectStatus(await setup.operator.patch('/operator/v1/clock', { advanceSeconds: ms / 1000 }), 200);
  };

  async function connected(t: TestContext, project: string, path: string) {
    await newUser(setup, project, SAILOR.username);
    expectStatus(await setup.owner.post(`${project}/accessList`, [{ ipAddress: '127.0.0.1' }]), 201);
    await until(
      'addresses ACTIVE',
      () => setup.owner.get(`${project}/accessList/127.0.0.1/status`),
      (answer) => answer.json().STATUS === 'ACTIVE',
    );
    const driver = await driverFor(setup, path);
    t.after(() => driver.close());
    return driver.db('harbour').collection<Port>('ports');
  }

  async function momentOf(t: TestContext, path: string): Promise<Timestamp> {
    const driver = await driverFor(setup, path);
    t.after(() => driver.close());
    return (await driver.db('admin').command({ ping: 1 })).operationTime as Timestamp;
  }

  async function made(kind: 'flexClusters' | 'serverless') {
    const project = await newProject(setup);
    const path = `${project}/${kind}`;
    expectStatus(await setup.owner.post(path, { name: 'bend', providerSettings: place }), 201);
    const document = await idle(setup.owner, `${path}/bend`);
    const { createDate } = document as unknown as { createDate: string };
    return { project, path: `${path}/bend`, created: Date.parse(createDate) };
  }

  /** Waits until this many snapshots exist and none is in progress. */
  async function snapshots(path: string, count: number) {
    const over = ({ status }: Record<string, unknown>) => status === 'COMPLETED' || status === 'completed';
    const { results } = await until(
      `${count} snapshots`,
      async () => expectStatus<ListDocument>(await setup.owner.get(`${path}/backup/snapshots`), 200),
      (list) => list.results.length === count && list.results.every(over),
    );
    return results;
  }

  test('a flex cluster has daily snapshots, of which the last eight are kept and can be restored', async (t) => {
    const { project, path, created } = await made('flexClusters');
    const ports = await connected(t, project, path);
    await ports.insertOne({ _id: 1, name: 'Riga' });
    await snapshots(path, 0);
    await advance(DAY_MS);
    const [first] = await snapshots(path, 1);
    const { id, links: _, startTime, finishTime, dbVersion, ...rest } = first ?? {};
    assert.deepEqual(rest, {
      expiration: new Date(created + 9 * DAY_MS).toISOString().replace('.000Z', 'Z'),
      scheduledTime: new Date(created + DAY_MS).toISOString().replace('.000Z', 'Z'),
      status: 'COMPLETED',
    });
    assert.match(String(dbVersion), /^\d+\.\d+\.\d+$/);
    assert.ok(Date.parse(String(startTime)) <= Date.parse(String(finishTime)));
    assert.equal(expectStatus(await setup.owner.get(`${path}/backup/snapshots/${id}`), 200).id, id);

    await ports.drop();
    const jobs = `${path}/backup/restoreJobs`;
    const asked = { snapshotId: id, targetDeploymentItemName: 'bend' };
    const release = await holdRestores(setup, t, project);
    const begun = expectStatus(await setup.owner.post(jobs, asked), 200);
    const changed = await setup.owner.patch(path, { tags: [{ key: 'a', value: 'b' }] });
    expectFault(changed, 400, 'CLUSTER_RESTORE_IN_PROGRESS_CANNOT_UPDATE', ['bend']);
    const upgraded = await setup.owner.post(`${project}/flexClusters:tenantUpgrade`, clusterBody('bend'));
    expectFault(upgraded, 400, 'CLUSTER_RESTORE_IN_PROGRESS_CANNOT_UPDATE', ['bend']);
    await release();
    const {
      id: jobId,
      links: __,
      restoreScheduledDate,
      expirationDate,
      snapshotFinishedDate,
      ...job
    } = begun;
    assert.deepEqual(job, {
      deliveryType: 'RESTORE',
      instanceName: 'bend',
      projectId: idIn(project),
      snapshotId: id,
      status: 'PENDING',
      targetDeploymentItemName: 'bend',
      targetProjectId: idIn(project),
    });
    const [shown, requested] = [expirationDate, restoreScheduledDate].map((date) => Date.parse(String(date)));
    assert.equal(Number(shown) - Number(requested), 6 * HOUR_MS);
    assert.equal(snapshotFinishedDate, finishTime);
    const ended = await until(
      'the end of the restore',
      async () => expectStatus(await setup.owner.get(`${jobs}/${jobId}`), 200),
      (one) => one.status === 'COMPLETED' || one.status === 'FAILED',
    );
    assert.deepEqual([ended.status, typeof ended.restoreFinishedDate], ['COMPLETED', 'string']);
    const list = expectStatus<ListDocument>(await setup.owner.get(jobs), 200);
    assert.deepEqual([list.totalCount, list.results.map((one) => one.id)], [1, [jobId]]);
    await idle(setup.owner, path);
    assert.equal((await ports.findOne({}))?.name, 'Riga');

    const { id: downloadId } = expectStatus(
      await setup.owner.post(`${path}/backup/download`, { snapshotId: id }),
      200,
    );
    const ready = await until(
      'the archive',
      async () => expectStatus(await setup.owner.get(`${jobs}/${downloadId}`), 200),
      (one) => one.status === 'COMPLETED' || one.status === 'FAILED',
    );
    assert.deepEqual(ready.result, { identical: true, collections: 1, documents: 1 });
    assert.deepEqual(
      [ready.deliveryType, ready.targetDeploymentItemName, ready.restoreFinishedDate],
      ['DOWNLOAD', undefined, undefined],
    );
    const whole = Date.parse(String(ready.expirationDate)) - Date.parse(String(ready.restoreScheduledDate));
    assert.ok(whole >= 4 * HOUR_MS && whole < 5 * HOUR_MS, `${whole} ms`);
    const { pathname, search } = new URL(String(ready.snapshotUrl));
    const head = await setup.connections[0]?.send({ method: 'HEAD', target: pathname + search });
    assert.equal(head?.status, 200);

    await advance(20 * DAY_MS);
    const due = (await snapshots(path, 8)).map(({ scheduledTime }) => Date.parse(String(scheduledTime)));
    assert.deepEqual(
      due,
      Array.from({ length: 8 }, (_, i) => created + (14 + i) * DAY_MS),
    );
    expectFault(await setup.owner.get(`${path}/backup/snapshots/${id}`), 404, 'TENANT_SNAPSHOT_NOT_FOUND', [
      id,
      'bend',
    ]);
    expectFault(await setup.owner.get(`${jobs}/${ABSENT}`), 404, 'TENANT_RESTORE_NOT_FOUND', [
      ABSENT,
      'bend',
    ]);
  });

  test('a flex cluster requested as M5 has daily snapshots too, which cannot be restored to a sharded cluster', async () => {
    const project = await newProject(setup);
    const size = { providerSettings: { ...place, providerName: 'TENANT', instanceSizeName: 'M5' } };
    await newCluster(setup, project, 'small', size);
    const path = `${project}/flexClusters/small`;
    await advance(DAY_MS);
    const [{ id } = {}] = await snapshots(path, 1);
    const jobs = `${path}/backup/restoreJobs`;
    const asked = (targetDeploymentItemName: string) => ({ snapshotId: id, targetDeploymentItemName });
    expectFault(await setup.owner.post(jobs, asked('none')), 400, 'TENANT_RESTORE_DESTINATION_UNAVAILABLE', [
      'none',
    ]);
    const change = { clusterType: 'SHARDED', numShards: 1 };
    expectStatus(await setup.owner.post(`${project}/clusters`, clusterBody('wide', change)), 201);
    expectFault(await setup.owner.post(jobs, asked('wide')), 400, 'TENANT_RESTORE_INCOMPATIBLE_TOPOLOGY', [
      'wide',
    ]);
    expectFault(
      await setup.owner.post(jobs, { ...asked('small'), targetProjectId: ABSENT }),
      403,
      'CANNOT_RESTORE_TO_TARGET',
    );
  });

  test('a serverless instance has a snapshot every six hours, which can be restored to another cluster', async (t) => {
    const { project, path, created } = await made('serverless');
    const ports = await connected(t, project, path);
    await ports.insertOne({ _id: 1, name: 'Ventspils' });
    await advance(6 * HOUR_MS);
    const [first] = await snapshots(path, 1);
    const { id, links: _, createdAt, dbdVersion, storageSizeBytes, ...rest } = first ?? {};
    assert.deepEqual(rest, {
      expiresAt: new Date(created + 6 * HOUR_MS + 2 * DAY_MS).toISOString().replace('.000Z', 'Z'),
      frequencyType: 'hourly',
      serverlessInstanceName: 'bend',
      snapshotType: 'scheduled',
      status: 'completed',
    });
    assert.ok(createdAt && dbdVersion && Number(storageSizeBytes) > 0);
    assert.equal(expectStatus(await setup.owner.get(`${path}/backup/snapshots/${id}`), 200).id, id);

    const other = await newCluster(setup, project, 'other');
    const jobs = `${path}/backup/restoreJobs`;
    const asked = { snapshotId: id, targetClusterName: 'other', targetGroupId: idIn(project) };
    const begun = expectStatus(await setup.owner.post(jobs, { ...asked, deliveryType: 'automated' }), 200);
    const ended = await until(
      'the end of the restore',
      async () => expectStatus(await setup.owner.get(`${jobs}/${begun.id}`), 200),
      (one) => one.finishedAt !== undefined,
    );
    assert.deepEqual([ended.failed, ended.targetClusterName], [false, 'other']);
    const list = expectStatus<ListDocument>(await setup.owner.get(jobs), 200);
    assert.deepEqual([list.totalCount, list.results.length], [1, 1]);
    await idle(setup.owner, other);
    const driver = await driverFor(setup, other);
    t.after(() => driver.close());
    assert.equal((await driver.db('harbour').collection('ports').findOne({}))?.name, 'Ventspils');

    // Restore to the same cluster, to a point after the snapshot.
    await ports.insertOne({ _id: 2, name: 'Narva' });
    const { t: oplogTs, i: oplogInc } = await momentOf(t, path);
    await ports.drop();
    const { snapshotId: ____, ...target } = { ...asked, targetClusterName: 'bend' };
    const moment = { ...target, deliveryType: 'pointInTime', oplogTs, oplogInc };
    const release = await holdRestores(setup, t, project);
    const again = expectStatus(await setup.owner.post(jobs, moment), 200);
    const changed = await setup.owner.patch(path, { terminationProtectionEnabled: true });
    expectFault(changed, 400, 'CLUSTER_RESTORE_IN_PROGRESS_CANNOT_UPDATE', ['bend']);
    await release();
    assert.deepEqual([again.snapshotId, again.oplogTs, again.oplogInc], [id, oplogTs, oplogInc]);
    const over = await until(
      'the end of the restore to a moment',
      async () => expectStatus(await setup.owner.get(`${jobs}/${again.id}`), 200),
      (one) => one.finishedAt !== undefined,
    );
    assert.equal(over.failed, false, JSON.stringify(over));
    await idle(setup.owner, path);
    assert.deepEqual(
      (await ports.find().sort({ _id: 1 }).toArray()).map(({ name }) => name),
      ['Ventspils', 'Narva'],
    );
    const before = { ...moment, oplogTs: oplogTs - 4 * 86_400 };
    expectStatus(await setup.owner.post(jobs, before), 400);

    const { targetClusterName: ___, ...untargeted } = asked;
    const body = { ...untargeted, deliveryType: 'download' };
    expectFault(await setup.owner.post(jobs, body), 400, 'MISSING_ATTRIBUTE', ['targetClusterName']);
    const download = expectStatus(await setup.owner.post(jobs, { ...asked, deliveryType: 'download' }), 200);
    const offered = await until(
      'the archive',
      async () => expectStatus(await setup.owner.get(`${jobs}/${download.id}`), 200),
      (one) => one.expiresAt !== undefined,
    );
    assert.deepEqual(
      [(offered.deliveryUrl as string[]).length, offered.components, offered.targetClusterName],
      [1, undefined, undefined],
    );

    await advance(3 * DAY_MS);
    // The cluster keeps three daily snapshots for 35 days. It keeps the other six, which were taken at 6, 12 and 18
    // o'clock, for two days.
    const frequencies = (await snapshots(path, 9)).map(({ frequencyType }) => frequencyType);
    assert.deepEqual([frequencies.filter((one) => one === 'daily').length, frequencies.length], [3, 9]);
    expectFault(
      await setup.owner.get(`${path}/backup/snapshots/${ABSENT}`),
      404,
      'TENANT_SNAPSHOT_NOT_FOUND',
      [ABSENT, 'bend'],
    );
    expectFault(await setup.owner.get(`${jobs}/${ABSENT}`), 404, 'TENANT_RESTORE_NOT_FOUND', [
      ABSENT,
      'bend',
    ]);
  });
});
