import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import S3rver from 's3rver';
import { backupsOf, into, type SnapshotDocument } from './support/backups.ts';
import { expectStatus, until } from './support/expect.ts';
import { scopeOf, temporaryFolder } from './support/service.ts';
import { openSetup, type Setup } from './support/setups.ts';
import { idle } from './support/stage.ts';

interface Copied extends SnapshotDocument {
  readonly copyRegions: readonly string[];
}

describe('snapshots in buckets of an S3 server', () => {
  const setup = {} as Setup;
  const scope = scopeOf({ after });
  const { fleet, taken, restored } = backupsOf(setup);

  before(async () => {
    const configureBuckets = ['kept', 'kept-aws-eu-west-1'].map((name) => ({ name, configs: [] }));
    const directory = await temporaryFolder(scope);
    const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets });
    const { port } = (await server.run()) as AddressInfo;
    scope.after(() => server.close());
    const settings = {
      'snapshot-store': 's3://kept/fleet',
      'copy-store': 's3://kept-{region}',
      'snapshot-store-url': `http://127.0.0.1:${port}`,
      'snapshot-store-access-key': 'S3RVER',
      'snapshot-store-secret-key': 'S3RVER',
    };
    const expectedErrors = /snapshot could not be read from one of its sources/;
    Object.assign(setup, await openSetup(scope, 'SQLite, one instance', { settings, expectedErrors }));
  });

  test('are taken, copied to the bucket of a region, and restored', async (t) => {
    const { project, cluster, ports } = await fleet(t);
    const specs = (await idle(setup.owner, cluster)).replicationSpecs as readonly { readonly id: string }[];
    const copy = { frequencies: ['ON_DEMAND'], regionName: 'EU_WEST_1', zoneId: specs[0]?.id };
    expectStatus(await setup.owner.patch(`${cluster}/backup/schedule`, { copySettings: [copy] }), 200);
    await ports.insertOne({ _id: 1, name: 'Galway' });
    const { id } = await taken(cluster);
    await until(
      'the end of the copy',
      async () => expectStatus<Copied>(await setup.owner.get(`${cluster}/backup/snapshots/${id}`), 200),
      ({ copyRegions }) => copyRegions.length === 1,
    );
    await ports.drop();
    assert.equal((await restored(cluster, into(project, 'fleet', id))).ended.failed, false);
    await idle(setup.owner, cluster);
    assert.equal((await ports.findOne({}))?.name, 'Galway');
    expectStatus(await setup.owner.delete(`${cluster}/backup/snapshots/${id}`), 204);
  });
});
