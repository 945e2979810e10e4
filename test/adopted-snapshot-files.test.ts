import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { EJSON } from 'bson';
import { type Document, MongoClient } from 'mongodb';
import { newS3Bucket } from './support/access-roles.ts';
import { adopt, DEPLOYMENTS } from './support/adopted-cluster.ts';
import { type OtherServer, otherServer } from './support/adopted-engine.ts';
import { backedUp, backupsOf } from './support/backups.ts';
import { startClouds } from './support/clouds.ts';
import { LONG_TIMEOUTS } from './support/drivers.ts';
import { expectStatus, until } from './support/expect.ts';
import { scopeOf } from './support/service.ts';
import { own } from './support/setups.ts';
import { idIn, idle, newProject } from './support/stage.ts';

const clouds = await startClouds();
after(() => clouds.stop());

own.onOneSetup(
  'SQLite, one instance',
  'files of snapshots of adopted deployments',
  (setup) => {
    const scope = scopeOf({ after });
    const { taken } = backupsOf(setup);
    let server: OtherServer;
    let client: MongoClient;
    before(async () => {
      server = await otherServer(scope);
      client = await MongoClient.connect(server.uri, LONG_TIMEOUTS);
      scope.after(() => client.close());
    });

    test('snapshots are copied to other regions, and exported to buckets', async (t) => {
      const project = await newProject(setup);
      const body = { groupId: idIn(project), name: 'ledger', connectionString: server.uri };
      const { id } = expectStatus<{ id: string }>(await adopt(setup, body), 201);
      t.after(() => setup.operator.delete(`${DEPLOYMENTS}/${id}`));
      const cluster = `${project}/clusters/ledger`;
      await idle(setup.owner, cluster);
      expectStatus(await setup.owner.patch(cluster, backedUp), 200);
      await idle(setup.owner, cluster);
      const { replicationSpecs } = expectStatus<Document>(await setup.owner.get(cluster), 200);
      const copy = { cloudProvider: 'AWS', frequencies: ['ON_DEMAND'], regionName: 'EU_WEST_1' };
      const copySettings = [{ ...copy, shouldCopyOplogs: false, zoneId: replicationSpecs[0].id }];
      expectStatus(await setup.owner.patch(`${cluster}/backup/schedule`, { copySettings }), 200);

      await client
        .db('harbour')
        .collection<Document>('ships')
        .insertOne({ _id: 1 as never, name: 'Argo' });
      const { id: snapshotId } = await taken(cluster);
      await until(
        'the copy',
        async () =>
          expectStatus<Document>(await setup.owner.get(`${cluster}/backup/snapshots/${snapshotId}`), 200),
        ({ copyRegions }) => copyRegions.length === 1,
      );

      const exportBucketId = await newS3Bucket(setup, clouds, project);
      const exports = `${cluster}/backup/exports`;
      const begun = await setup.owner.post(exports, { snapshotId, exportBucketId });
      const ended = await until(
        'the export',
        async () =>
          expectStatus<Document>(await setup.owner.get(`${exports}/${expectStatus(begun, 200).id}`), 200),
        ({ state }) => /Successful|Failed|Cancelled/.test(state),
      );
      assert.equal(ended.state, 'Successful');
      const lines = gunzipSync(await clouds.s3Object(`${ended.prefix}/harbour/ships/ledger.0.json.gz`));
      assert.deepEqual(EJSON.parse(lines.toString()), { _id: 1, name: 'Argo' });
    });
  },
  clouds.options,
);
