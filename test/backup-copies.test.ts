import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { backedUp, backupsOf, into, type SnapshotDocument } from './support/backups.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { idle, type ListDocument, newCluster, newProject } from './support/stage.ts';

const former = { accept: 'application/vnd.service.2023-01-01+json' };
const withZones = { accept: 'application/vnd.service.2024-08-05+json' };
const ABSENT = '0123456789abcdef01234567';

interface Schedule {
  readonly copySettings: readonly Record<string, unknown>[];
}

interface Zones {
  readonly replicationSpecs: readonly [{ readonly id: string; readonly zoneId: string }];
}

interface Copied extends SnapshotDocument {
  readonly copyRegions: readonly string[];
}

const logged = { expectedErrors: /snapshot could not be read from one of its sources/ };

onOneSetup(
  'SQLite, one instance',
  'copies of snapshots',
  (setup) => {
    const { fleet, taken, restored } = backupsOf(setup);

    const change = async (path: string, body: object, options?: { readonly accept: string }) =>
      expectStatus<Schedule>(await setup.owner.patch(path, body, options), 200).copySettings;

    const specOf = async (cluster: string) => {
      const { replicationSpecs } = expectStatus<Zones>(await setup.owner.get(cluster), 200);
      return replicationSpecs[0].id;
    };

    const copied = (path: string, regions: number) =>
      until(
        'the end of the copy',
        async () => expectStatus<Copied>(await setup.owner.get(path), 200),
        ({ copyRegions }) => copyRegions.length === regions,
      );

    test('a copy in another region restores when the original is damaged', async (t) => {
      const { project, cluster, ports } = await fleet(t);
      const path = `${cluster}/backup/schedule`;
      const { id: clusterId } = await idle(setup.owner, cluster);
      const spec = await specOf(cluster);
      const setting = {
        cloudProvider: 'AWS',
        frequencies: ['ON_DEMAND', 'DAILY'],
        regionName: 'EU_WEST_1',
        shouldCopyOplogs: false,
      };
      // Each version identifies zones in its own way. A request that sends back a response changes nothing.
      assert.deepEqual(
        await change(path, { copySettings: [{ ...setting, replicationSpecId: spec }] }, former),
        [{ ...setting, replicationSpecId: spec }],
      );
      const [shown] = expectStatus<Schedule>(await setup.owner.get(path), 200).copySettings;
      const { replicationSpecs: zones } = expectStatus<Zones>(await setup.owner.get(cluster, withZones), 200);
      assert.deepEqual(shown, { ...setting, zoneId: zones[0].zoneId });
      assert.deepEqual(await change(path, { copySettings: [shown] }), [shown]);
      assert.deepEqual(await change(path, { copySettings: [{ ...setting, zoneId: spec }] }), [
        { ...setting, zoneId: spec },
      ]);

      await ports.insertOne({ _id: 1, name: 'Cork' });
      const { id } = await taken(cluster);
      const snapshot = `${cluster}/backup/snapshots/${id}`;
      assert.deepEqual((await copied(snapshot, 1)).copyRegions, ['EU_WEST_1']);
      const { results } = expectStatus<ListDocument<Copied>>(
        await setup.owner.get(`${cluster}/backup/snapshots`),
        200,
      );
      assert.deepEqual(results[0]?.copyRegions, ['EU_WEST_1']);
      const longer = { retentionUnit: 'WEEKS', retentionValue: 2 };
      const kept = expectStatus<Copied>(await setup.owner.patch(snapshot, longer), 200);
      assert.deepEqual(kept.copyRegions, ['EU_WEST_1']);
      const about = async (name: string) => {
        const list = await setup.owner.get(`${project}/events?clusterNames=${name}&itemsPerPage=100`);
        return expectStatus<ListDocument>(list, 200).results.map(({ eventTypeName }) => eventTypeName);
      };
      const types = await about('fleet');
      for (const type of [
        'CPS_SNAPSHOT_SCHEDULE_UPDATED_AUDIT',
        'CPS_SNAPSHOT_SUCCESSFUL',
        'CPS_COPY_SNAPSHOT_STARTED',
        'CPS_COPY_SNAPSHOT_SUCCESSFUL',
      ])
        assert.ok(types.includes(type), type);
      assert.deepEqual(await about('other'), []);

      const own = join(setup.instances[0]?.dataDirectory ?? '', 'snapshots');
      const store = String(setup.settings['snapshot-store'] ?? own);
      await rm(join(store, clusterId, 'chunks'), { recursive: true });
      await ports.deleteMany({});
      assert.equal((await restored(cluster, into(project, 'fleet', id))).ended.failed, false);
      await idle(setup.owner, cluster);
      assert.equal((await ports.findOne({}))?.name, 'Cork');

      // No further snapshots are copied. Existing copies remain until they are deleted.
      assert.deepEqual(await change(path, { copySettings: [] }), []);
      assert.equal((await copied(snapshot, 1)).copyRegions.length, 1);
      const region = join(store, 'regions', 'AWS', 'EU_WEST_1', clusterId);
      assert.ok(existsSync(join(region, 'snapshots', `${id}.json`)));
      const gone = { cloudProvider: 'AWS', regionName: 'EU_WEST_1' };
      await change(path, { deleteCopiedBackups: [{ ...gone, replicationSpecId: spec }] }, former);
      await copied(snapshot, 0);
      const names = () => Promise.all(['chunks', 'snapshots'].map((part) => readdir(join(region, part))));
      await until('its files gone', names, (all) => all.flat().length === 0);
      await change(path, { deleteCopiedBackups: [{ ...gone, zoneId: spec }] });
    });

    test('rejects impossible copies with a reason', async () => {
      const cluster = await newCluster(setup, await newProject(setup), 'fleet', backedUp);
      const path = `${cluster}/backup/schedule`;
      const zoneId = await specOf(cluster);
      const setting = { cloudProvider: 'AWS', frequencies: ['DAILY'], regionName: 'EU_WEST_1', zoneId };
      const refused = async (change: object, code: string, parameters?: readonly string[]) => {
        const body = { copySettings: [{ ...setting, ...change }] };
        const fault = expectStatus(await setup.owner.patch(path, body), 400);
        assert.equal(fault.errorCode, code);
        if (parameters) assert.deepEqual(fault.parameters, parameters);
      };
      await refused({ regionName: 'MIDDLE_EARTH' }, 'INVALID_REGION', ['MIDDLE_EARTH', 'AWS']);
      await refused({ regionName: 'US_EAST_1' }, 'INVALID_BACKUP_POLICY', [
        'the region US_EAST_1 is the region of the cluster itself',
      ]);
      await refused({ cloudProvider: 'GCP', regionName: 'WESTERN_EUROPE' }, 'INVALID_BACKUP_POLICY');
      await refused({ regionName: undefined }, 'MISSING_ATTRIBUTE', ['copySettings.regionName']);
      await refused({ zoneId: undefined }, 'MISSING_ATTRIBUTE');
      await refused({ zoneId: ABSENT }, 'INVALID_ATTRIBUTE', ['copySettings.zoneId']);
      await refused({ frequencies: ['NEVER'] }, 'INVALID_ENUM_VALUE');
      await refused({ shouldCopyOplogs: true }, 'INVALID_BACKUP_POLICY');
      const twice = { copySettings: [setting, { ...setting, frequencies: ['WEEKLY'] }] };
      expectFault(await setup.owner.patch(path, twice), 400, 'INVALID_BACKUP_POLICY', [
        'the region EU_WEST_1 appears in copySettings twice',
      ]);
      const deleted = { deleteCopiedBackups: [{ ...setting, zoneId: ABSENT, frequencies: undefined }] };
      expectFault(await setup.owner.patch(path, deleted), 400, 'INVALID_ATTRIBUTE', [
        'deleteCopiedBackups.zoneId',
      ]);
      // A request that names no zone concerns the only zone of the cluster.
      const { zoneId: _, ...unnamed } = setting;
      const [read] = await change(path, { copySettings: [unnamed] }, former);
      assert.equal(read?.replicationSpecId, zoneId);
    });
  },
  logged,
);
