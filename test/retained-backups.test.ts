import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { backedUp, backupsOf, holdRestores, inSnapshotStore, into } from './support/backups.ts';
import { driverFor } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { own } from './support/setups.ts';
import { type ClusterDocument, gone, idIn, idle, type ListDocument, newCluster } from './support/stage.ts';

const DAY_S = 86_400;

own.onOneSetup('SQLite, one instance', 'retained backups', (setup) => {
  const { fleet, taken, restored, relationsOf } = backupsOf(setup);

  const listed = async (project: string, query = '?includeDeletedWithRetainedBackups=true') => {
    const path = `${project}/clusters${query}`;
    const { results, totalCount } = expectStatus<ListDocument<ClusterDocument>>(
      await setup.owner.get(path),
      200,
    );
    assert.equal(totalCount, results.length);
    return results.map(({ id }) => id);
  };

  const chunksOf = (clusterId: string) => async () => {
    const folder = inSnapshotStore(setup, clusterId);
    const parts = await Promise.all(['chunks', 'snapshots'].map((part) => readdir(join(folder, part))));
    return parts.flat();
  };

  async function endKeepingBackups(cluster: string) {
    expectStatus(await setup.owner.delete(`${cluster}?retainBackups=true`), 202);
    await gone(setup.owner, cluster);
  }

  test('snapshots of a deleted cluster restore into another one, and expire on time', async (t) => {
    const { project, cluster, ports } = await fleet(t);
    await ports.insertOne({ _id: 1, name: 'Aarhus' });
    const shorter = await taken(cluster, '', { retentionInDays: 2 });
    const longer = await taken(cluster, '', { retentionInDays: 5 });
    await restored(cluster, into(project, 'fleet', shorter.id));
    const { id } = await idle(setup.owner, cluster);
    await endKeepingBackups(cluster);
    assert.deepEqual(await listed(project, ''), []);
    assert.deepEqual(await listed(project, '?includeDeletedWithRetainedBackups=false'), []);
    assert.deepEqual(await listed(project), [id]);
    expectFault(await setup.owner.post(`${cluster}/backup/snapshots`, {}), 404, 'CLUSTER_NOT_FOUND', [
      'fleet',
      idIn(project),
    ]);

    const jobs = `${cluster}/backup/restoreJobs`;
    assert.equal(expectStatus<ListDocument>(await setup.owner.get(jobs), 200).totalCount, 1);
    const snapshot = `${cluster}/backup/snapshots/${longer.id}`;
    assert.deepEqual(await relationsOf(snapshot), ['self']);

    const other = await newCluster(setup, project, 'other', backedUp);
    assert.deepEqual((await listed(project)).length, 2);
    const { begun, ended } = await restored(cluster, into(project, 'other', longer.id));
    assert.equal(ended.failed, false);
    await idle(setup.owner, other);
    const driver = await driverFor(setup, other);
    t.after(() => driver.close());
    assert.equal((await driver.db('harbour').collection('ports').findOne({}))?.name, 'Aarhus');

    // Another cluster has the same name now, but the id of the deleted cluster still selects its snapshots and jobs.
    const again = await newCluster(setup, project, 'fleet', backedUp);
    const path = `${again}/backup/snapshots`;
    const idsIn = async (list: string) => {
      const { results, totalCount } = expectStatus<ListDocument>(await setup.owner.get(list), 200);
      assert.equal(totalCount, results.length);
      return results.map((one) => one.id);
    };
    for (const list of [path, jobs, `${cluster}/backup/exports`]) assert.deepEqual(await idsIn(list), []);
    assert.deepEqual(await idsIn(`${path}?clusterId=${id}`), [shorter.id, longer.id]);
    assert.deepEqual((await idsIn(`${jobs}?clusterId=${id}`)).at(-1), begun.id);
    assert.deepEqual(await idsIn(`${cluster}/backup/exports?clusterId=${id}`), []);
    const { id: otherId } = await idle(setup.owner, other);
    for (const wrong of [otherId, '0'.repeat(24)])
      expectFault(await setup.owner.get(`${path}?clusterId=${wrong}`), 404, 'CLUSTER_NOT_FOUND', [
        'fleet',
        idIn(project),
      ]);
    assert.deepEqual(await relationsOf(snapshot), ['self']);
    assert.deepEqual(await relationsOf(`${jobs}/${begun.id}`), ['self', 'group', 'snapshot']);
    expectStatus(await setup.owner.delete(again), 202);
    await gone(setup.owner, again);

    const ids = () => idsIn(path);
    assert.deepEqual(await ids(), [shorter.id, longer.id]);
    const advance = (days: number) =>
      setup.operator.patch('/operator/v1/clock', { advanceSeconds: days * DAY_S });
    expectStatus(await advance(3), 200);
    await until('the end of the first', ids, (left) => left.length === 1);
    assert.deepEqual(await ids(), [longer.id]);
    expectStatus(await advance(3), 200);
    await until(
      'the end of the last',
      () => setup.owner.get(path),
      ({ status }) => status === 404,
    );
    assert.deepEqual(await listed(project), [(await idle(setup.owner, other)).id]);
    await until('its files gone', chunksOf(id), (names) => names.length === 0);
  });

  test('a cluster is removed only after the restores of its snapshots to other clusters', async (t) => {
    const { project, cluster, ports } = await fleet(t);
    await ports.insertOne({ _id: 1, name: 'Narvik' });
    const snapshot = await taken(cluster);
    const other = await newCluster(setup, project, 'other', backedUp);
    const release = await holdRestores(setup, t, project);
    const wanted = { deliveryType: 'automated', ...into(project, 'other', snapshot.id) };
    const asked = await setup.owner.post(`${cluster}/backup/restoreJobs`, wanted);
    const { id: jobId } = expectStatus<{ id: string }>(asked, 200);
    const { id } = expectStatus<ClusterDocument>(await setup.owner.get(cluster), 200);
    expectStatus(await setup.owner.delete(cluster), 202);
    const removals = '/operator/v1/tasks?kind=cluster.remove&itemsPerPage=500';
    await until(
      'the removal waits',
      async () => expectStatus<ListDocument>(await setup.operator.get(removals), 200).results,
      (tasks) => tasks.every(({ key, state }) => !String(key).includes(id) || state === 'WAITING'),
    );
    await release();

    const restored = await until(
      'the end of the restore',
      () => setup.owner.get(`${other}/backup/restoreJobs/${jobId}`),
      (reply) => reply.json().finishedAt !== undefined,
    );
    assert.equal(expectStatus(restored, 200).failed, false, restored.text);
    await gone(setup.owner, cluster);
    assert.equal((await listed(project)).includes(id), false);
    await until('its files gone', chunksOf(id), (names) => names.length === 0);
    await idle(setup.owner, other);
    const driver = await driverFor(setup, other);
    t.after(() => driver.close());
    assert.equal((await driver.db('harbour').collection('ports').findOne({}))?.name, 'Narvik');
  });

  test('deleting the last snapshot removes the cluster from the list', async (t) => {
    const { project, cluster } = await fleet(t);
    const { id: snapshot } = await taken(cluster);
    const { id } = await idle(setup.owner, cluster);
    await endKeepingBackups(cluster);
    const path = `${cluster}/backup/snapshots/${snapshot}`;
    const change = { retentionUnit: 'WEEKS', retentionValue: 1 };
    expectStatus(await setup.owner.patch(path, change), 200);
    expectStatus(await setup.owner.delete(path), 204);
    assert.deepEqual(await listed(project), []);
    expectFault(await setup.owner.get(path), 404, 'CLUSTER_NOT_FOUND', ['fleet', idIn(project)]);
    await until('its files gone', chunksOf(id), (names) => names.length === 0);
  });

  test('a cluster without snapshots is deleted, even with retainBackups', async (t) => {
    const { project, cluster } = await fleet(t);
    await endKeepingBackups(cluster);
    assert.deepEqual(await listed(project), []);
  });

  test('a project can be deleted only after its retained snapshots', async (t) => {
    const { project, cluster } = await fleet(t);
    const snapshot = await taken(cluster);
    const { id } = await idle(setup.owner, cluster);
    await endKeepingBackups(cluster);
    expectFault(await setup.owner.delete(project), 409, 'CANNOT_CLOSE_GROUP_ACTIVE_BACKUP');
    expectStatus(await setup.owner.get(`${cluster}/backup/snapshots/${snapshot.id}`), 200);
    assert.notDeepEqual(await chunksOf(id)(), []);

    expectStatus(await setup.owner.delete(`${cluster}/backup/snapshots/${snapshot.id}`), 204);
    expectStatus(await setup.owner.delete(project), 204);
    await until('its files gone', chunksOf(id), (names) => names.length === 0);
  });
});
