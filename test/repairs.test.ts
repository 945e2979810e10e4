import assert from 'node:assert/strict';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { allowAccess, driverFor } from './support/drivers.ts';
import { expectStatus, until } from './support/expect.ts';
import { portThief } from './support/ports.ts';
import { own, type Setup } from './support/setups.ts';
import {
  type ClusterDocument,
  clusterBody,
  gone,
  idle,
  type ListDocument,
  newCluster,
  newProject,
} from './support/stage.ts';

/** Damages the file of a cluster. A file with an invalid first page is not a database. */
async function damage(setup: Setup, { id }: ClusterDocument): Promise<void> {
  for (const { dataDirectory } of setup.instances) {
    const file = await open(join(dataDirectory, 'engine/clusters', id, 'cluster.db'), 'r+').catch(() => {});
    await file?.write(Buffer.alloc(4096, 'x'), 0, 4096, 0);
    await file?.close();
  }
}

own.onOneSetup(
  'SQLite, one instance',
  'repairs of nodes',
  (setup) => {
    const stateOf = async (path: string) => expectStatus(await setup.owner.get(path), 200).stateName;

    const inState = (path: string, state: string) =>
      until(
        `${path} ${state}`,
        () => stateOf(path),
        (found) => found === state,
      );

    async function reasons(project: string, type: string): Promise<string[]> {
      const events = await setup.owner.get(`${project}/events?eventType=${type}`);
      const reasons = expectStatus<ListDocument>(events, 200).results.map(({ reason }) => String(reason));
      for (const { dataDirectory } of setup.instances)
        assert.ok(!reasons.some((reason) => reason.includes(dataDirectory)), `${reasons}`);
      // On a machine that stalls, a healthy engine host responds too late, and its clusters are repaired.
      return reasons.filter((reason) => !/does not respond/.test(reason));
    }

    async function countOf(project: string, type: string): Promise<number> {
      const events = await setup.owner.get(`${project}/events?eventType=${type}`);
      return expectStatus<ListDocument>(events, 200).totalCount ?? 0;
    }

    test('a cluster waits for a port in use while other clusters run', async (t) => {
      const project = await newProject(setup);
      const robbed = await newCluster(setup, project, 'robbed');
      const other = await newCluster(setup, project, 'other');
      await allowAccess(setup, project, robbed);
      const { connectionStrings } = await idle(setup.owner, robbed);
      const port = Number(/:(\d+)/.exec(connectionStrings.standard ?? '')?.[1]);
      await setup.stop();
      const thief = await portThief(port);
      assert.ok(thief);
      t.after(() => thief.close());
      await setup.start();
      await inState(robbed, 'REPAIRING');
      const [reason] = await reasons(project, 'CLUSTER_NODES_LOST');
      assert.match(String(reason), new RegExp(`^port ${port} of member shard-00-00 is taken`));
      assert.equal(await stateOf(other), 'IDLE');
      const reader = await driverFor(setup, other);
      await reader.db('admin').command({ ping: 1 });
      await reader.close();
      await thief.close();
      await inState(robbed, 'IDLE');
      const driver = await driverFor(setup, robbed);
      t.after(() => driver.close());
      await driver.db('harbour').collection('ports').insertOne({ name: 'Riga' });
      const repaired = await countOf(project, 'CLUSTER_REPAIRED');
      assert.ok(repaired > 0);
      // Each repair follows a loss.
      assert.ok(repaired <= (await countOf(project, 'CLUSTER_NODES_LOST')));
      assert.equal((await reasons(project, 'CLUSTER_NODES_LOST')).length, 1);

      const run = async (running: boolean) => {
        const node = { hostnameAndPort: `127.0.0.1:${port}`, running };
        expectStatus(await setup.operator.post(`/operator/v1${robbed}/instances`, node), 202);
      };
      await run(false);
      const another = await until(
        `port ${port} to be free`,
        () => portThief(port),
        (thief) => thief !== undefined,
      );
      t.after(() => another?.close());
      await run(true);
      await inState(robbed, 'REPAIRING');
      const told = await reasons(project, 'CLUSTER_NODES_LOST');
      assert.equal(told.length, 2);
      for (const one of told) assert.match(one, new RegExp(`^port ${port} of member shard-00-00 is taken`));
      await another?.close();
      await inState(robbed, 'IDLE');
    });

    test('a damaged file is reported, its cluster can be deleted, and other clusters are unaffected', async () => {
      const project = await newProject(setup);
      const damaged = await newCluster(setup, project, 'damaged');
      const other = await newCluster(setup, project, 'sound');
      await allowAccess(setup, project, other);
      const document = await idle(setup.owner, damaged);
      await setup.stop();
      await damage(setup, document);
      await setup.start();
      await inState(damaged, 'REPAIRING');
      assert.match((await reasons(project, 'CLUSTER_NODES_LOST'))[0] ?? '', /cluster\.db is damaged/);
      const driver = await driverFor(setup, other);
      await driver.db('harbour').collection('ports').insertOne({ name: 'Riga' });
      await driver.close();
      const loads = `${project}/sampleDatasetLoad`;
      const { _id } = expectStatus(await setup.owner.post(`${loads}/damaged`, undefined), 201);
      const { errorMessage } = await until(
        'the end of the load',
        async () => expectStatus(await setup.owner.get(`${loads}/${_id}`), 200),
        ({ state }) => state === 'FAILED',
      );
      assert.match(String(errorMessage), /cluster\.db (is|was) damaged/);
      expectStatus(await setup.owner.delete(damaged), 202);
      await gone(setup.owner, damaged);
    });

    test('a document that is damaged on disk is not returned to drivers, and its cluster becomes REPAIRING', async (t) => {
      const project = await newProject(setup);
      const flipped = await newCluster(setup, project, 'flipped');
      await allowAccess(setup, project, flipped);
      const { id } = await idle(setup.owner, flipped);
      const before = await driverFor(setup, flipped);
      const load = 'grain'.repeat(100);
      await before
        .db('harbour')
        .collection('cargo')
        .insertMany([{ load: 'salt' }, { load }]);
      await before.close();
      await setup.stop();
      for (const { dataDirectory } of setup.instances) {
        const path = join(dataDirectory, 'engine/clusters', id, 'cluster.db');
        const bytes = await readFile(path);
        for (let at = bytes.indexOf(load); at >= 0; at = bytes.indexOf(load, at + 1)) bytes[at + 250] = 0xff;
        await writeFile(path, bytes);
      }
      await setup.start();
      await idle(setup.owner, flipped);
      const driver = await driverFor(setup, flipped);
      t.after(() => driver.close());
      const cargo = driver.db('harbour').collection('cargo');
      assert.equal((await cargo.findOne({ load: 'salt' }))?.load, 'salt');
      await assert.rejects(cargo.find().toArray(), { code: 301, codeName: 'DataCorruptionDetected' });
      await inState(flipped, 'REPAIRING');
      assert.match((await reasons(project, 'CLUSTER_NODES_LOST'))[0] ?? '', /does not match its checksum/);
    });

    test('a cluster with a missing file is not recreated empty', async () => {
      const project = await newProject(setup);
      const lost = await newCluster(setup, project, 'lost');
      const document = await idle(setup.owner, lost);
      await setup.stop();
      const files = setup.instances.map(({ dataDirectory }) =>
        join(dataDirectory, 'engine/clusters', document.id, 'cluster.db'),
      );
      const kept = await Promise.all(files.map((file) => readFile(file)));
      await Promise.all(files.map((file) => rm(file)));
      await setup.start();
      await inState(lost, 'REPAIRING');
      assert.match((await reasons(project, 'CLUSTER_NODES_LOST'))[0] ?? '', /cluster\.db is missing/);
      // Write to another file and rename it, since an incomplete file would count as damaged.
      const putBack = async (file: string, content: Buffer) => {
        await writeFile(`${file}.back`, content);
        await rename(`${file}.back`, file);
      };
      await Promise.all(files.map((file, at) => putBack(file, kept[at] ?? Buffer.alloc(0))));
      await inState(lost, 'IDLE');
    });

    test('a missing folder is reported, and its cluster recovers when the folder returns', async () => {
      const project = await newProject(setup);
      const lost = await newCluster(setup, project, 'homeless');
      const document = await idle(setup.owner, lost);
      await setup.stop();
      const folders = setup.instances.map(({ dataDirectory }) =>
        join(dataDirectory, 'engine/clusters', document.id),
      );
      await Promise.all(folders.map((folder) => rename(folder, join(folder, '../../kept'))));
      await setup.start();
      await inState(lost, 'REPAIRING');
      assert.match(
        (await reasons(project, 'CLUSTER_NODES_LOST'))[0] ?? '',
        /^the folder of the cluster, or the file deployment\.json/,
      );
      await Promise.all(folders.map((folder) => rename(join(folder, '../../kept'), folder)));
      await inState(lost, 'IDLE');
      expectStatus(await setup.owner.delete(lost), 202);
      await gone(setup.owner, lost);
    });

    test('a cluster that cannot be created reports the reason, and can be deleted', async () => {
      const project = await newProject(setup);
      // The cluster needs 300 nodes and routers, but the engine host has only 298 ports.
      const body = clusterBody('huge', { clusterType: 'SHARDED', numShards: 50 });
      expectStatus(await setup.owner.post(`${project}/clusters`, body), 201);
      const path = `${project}/clusters/huge`;
      await inState(path, 'REPAIRING');
      assert.match((await reasons(project, 'CLUSTER_NODES_LOST'))[0] ?? '', /port/);
      expectStatus(await setup.owner.post(`${project}/clusters`, clusterBody('small')), 201);
      await idle(setup.owner, `${project}/clusters/small`);
      expectStatus(await setup.owner.delete(path), 202);
      await gone(setup.owner, path);
    });
  },
  { expectedErrors: /a task has failed/ },
);
