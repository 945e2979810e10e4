import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MongoClient } from 'mongodb';
import { allowAccess, driverFor, expectRefused, SAILOR } from './support/drivers.ts';
import { expectFault, expectStatus } from './support/expect.ts';
import { own, type Setup } from './support/setups.ts';
import {
  type ClusterDocument,
  clusterBody,
  gone,
  idIn,
  idle,
  newProject,
  type ProjectDocument,
  withoutOrigins,
} from './support/stage.ts';

const DOCUMENTS = Array.from({ length: 500 }, (_, number) => ({ number, port: `port ${number % 7}` }));

/** Creates, reads, updates and deletes documents. Afterwards, there are 500 documents fewer. */
async function useDocuments(driver: MongoClient): Promise<void> {
  const ports = driver.db('harbour').collection('ports');
  await ports.insertMany(DOCUMENTS.map((document) => ({ ...document })));
  const found = await ports
    .find({ number: { $lt: 30 }, port: { $in: ['port 1', 'port 2'] } })
    .sort({ number: -1 })
    .skip(1)
    .limit(3)
    .toArray();
  assert.deepEqual(
    found.map(({ number }) => number),
    [23, 22, 16],
  );
  const changed = await ports.updateMany(
    { port: 'port 3' },
    { $set: { open: true }, $inc: { number: 1000 } },
  );
  assert.equal(changed.modifiedCount, 71);
  assert.equal(await ports.countDocuments({ number: { $gte: 1000 }, open: true }), 71);
  assert.equal((await ports.deleteOne({ number: 0 })).deletedCount, 1);
  const upserted = await ports.updateOne({ number: -1 }, { $set: { port: 'new' } }, { upsert: true });
  assert.equal(upserted.upsertedCount, 1);
  assert.equal((await ports.deleteMany({ port: 'new' })).deletedCount, 1);
}

const countOf = (driver: MongoClient) => driver.db('harbour').collection('ports').countDocuments({});

async function pauseAndResume({ owner }: Setup, cluster: string): Promise<void> {
  const paused = expectStatus<ClusterDocument>(await owner.patch(cluster, { paused: true }), 200);
  assert.deepEqual([paused.paused, paused.stateName], [true, 'UPDATING']);
  const { paused: isPaused, connectionStrings } = await idle(owner, cluster);
  assert.equal(isPaused, true);
  await expectRefused(connectionStrings.standard);
  expectFault(await owner.patch(cluster, { diskSizeGB: 20 }), 409, 'CANNOT_UPDATE_PAUSED_CLUSTER', ['story']);
  expectFault(await owner.patch(cluster, { paused: true }), 409, 'CLUSTER_ALREADY_PAUSED', ['story']);
  expectStatus(await owner.patch(cluster, { paused: false }), 200);
  assert.equal((await idle(owner, cluster)).paused, false);
}

// The tour tests the same with SQLite.
own.onOneSetup('PostgreSQL, two instances', 'the story', (setup) => {
  test('from a project to a driver, through pause and restart, to an empty project', async (t) => {
    const { owner, bootstrap } = setup;
    const project = await newProject(setup);
    const created = await owner.post(`${project}/clusters`, clusterBody('story'));
    const cluster = `${project}/clusters/story`;
    const atFirst = expectStatus<ClusterDocument>(created, 201);
    assert.deepEqual([atFirst.stateName, atFirst.connectionStrings], ['CREATING', {}]);
    expectFault(await owner.delete(project), 409, 'CANNOT_CLOSE_GROUP_ACTIVE_PLATFORM_CLUSTERS');
    await allowAccess(setup, project, cluster);
    const driver = await driverFor(setup, cluster);
    t.after(() => driver.close());
    await useDocuments(driver);
    await pauseAndResume(setup, cluster);
    assert.equal(await countOf(driver), DOCUMENTS.length - 1, 'the same driver works after the resume');

    const before = await idle(owner, cluster);
    await setup.stop();
    await expectRefused(before.connectionStrings.standard);
    await setup.start();
    assert.deepEqual(withoutOrigins(await idle(owner, cluster)), withoutOrigins(before));
    assert.equal(await countOf(driver), DOCUMENTS.length - 1, 'the same driver works after the restart');
    const again = expectStatus<ProjectDocument & { clusterCount: number }>(await owner.get(project), 200);
    assert.deepEqual([again.orgId, again.clusterCount], [bootstrap.orgId, 1]);
    const user = await owner.get(`${project}/databaseUsers/admin/${SAILOR.username}`);
    assert.equal(expectStatus(user, 200).username, SAILOR.username);
    expectStatus(await owner.get(`${project}/accessList/127.0.0.1`), 200);

    await driver.close();
    const deleted = await owner.delete(cluster);
    assert.deepEqual(expectStatus(deleted, 202), {});
    const dying = await owner.get(cluster);
    if (dying.status === 200) assert.equal(dying.json().stateName, 'DELETING');
    await gone(owner, cluster);
    expectFault(await owner.get(cluster), 404, 'CLUSTER_NOT_FOUND', ['story', idIn(project)]);
    await expectRefused(before.connectionStrings.standard);
    expectStatus(await owner.delete(project), 204);
    expectFault(await owner.get(project), 404, 'GROUP_NOT_FOUND', [idIn(project)]);
  });
});
