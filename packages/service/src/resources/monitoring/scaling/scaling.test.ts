import assert from 'node:assert/strict';
import type { MemberSample } from '@portolan/engine/interface/engine';
import { idleSample } from '@portolan/engine/interface/testing';
import { serviceClock } from '@portolan/foundation/clock';
import { testClock } from '@portolan/foundation/testing';
import { onEachDatabase } from '@portolan/test-support/databases';
import { listEvents } from '../../../events/index.ts';
import type { Store } from '../../../store/index.ts';
import { clusterById } from '../../clusters/index.ts';
import { makeCluster, openClusters } from '../../clusters/testing.ts';
import { addSamples } from '../measured/changes.ts';
import { scaleCluster } from './changes.ts';

interface Tables {
  cluster: { id: string; spec: string; state: string; placement: string };
}

const NOON = Date.UTC(2026, 2, 12, 12);
const GB = 1024 ** 3;
const MINUTE_MS = 60_000;
const node = { id: 'shard-00-00', host: '127.0.0.1', port: 27_100 };

/** Sets the state, the node and the settings of the cluster. In the service, tasks and requests set them. */
async function setState(store: Store, id: string, settings?: object): Promise<void> {
  await store.write(async (tx) => {
    const rows = tx.from<Tables>();
    const row = await rows.selectFrom('cluster').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const spec = JSON.parse(row.spec);
    const placement = JSON.stringify({ ...JSON.parse(row.placement), members: [node] });
    const changed = JSON.stringify({ ...spec, kept: { ...spec.kept, ...settings } });
    const columns = { state: 'IDLE', placement, spec: changed };
    await rows.updateTable('cluster').set(columns).where('id', '=', id).execute();
  });
}

onEachDatabase(
  'disks and instance sizes follow the measured load within their limits',
  async (t, database) => {
    const machine = testClock(NOON);
    const { store, groupId } = await openClusters(t, database, [], { clock: serviceClock(machine) });
    const { id } = await store.write((tx) => makeCluster(tx, groupId));
    const compute = { enabled: true, scaleDownEnabled: true };
    const computeLimits = { minInstanceSize: 'M10', maxInstanceSize: 'M30' };
    await setState(store, id, { autoScaling: { diskGBEnabled: true, compute }, computeLimits });
    let user = 0;
    /** Advances by some minutes, and adds one sample for each. */
    const pass = async (minutes: number, percent: number, usedGB: number) => {
      const samples: MemberSample[] = [];
      for (let minute = 0; minute < minutes; minute++) {
        machine.advance(MINUTE_MS);
        user += percent * 600_000;
        const disk = { used: usedGB * GB, free: 0, total: 0 };
        samples.push(idleSample(machine.now() - 1, { processor: { user, kernel: 0 }, disk }));
      }
      await store.write((tx) =>
        addSamples(tx, { clusterId: id, samples: new Map([[node.id, samples]]), databases: undefined }),
      );
      await store.write((tx) => scaleCluster(tx, id));
      const { spec } = (await store.read((tx) => clusterById(tx, id))) ?? {};
      await setState(store, id);
      return [spec?.instanceSize, spec?.diskSizeGB];
    };
    const recorded = async (part: string) => {
      const page = { itemsPerPage: 100, pageNum: 1, includeCount: false };
      const { results } = await store.read((tx) => listEvents(tx, { groupId }, { ...page }));
      return results
        .map(({ type }) => type)
        .filter((type) => type.startsWith(part))
        .reverse();
    };
    assert.deepEqual(await pass(1, 0, 8.9), ['M10', 10]);
    assert.deepEqual(await pass(1, 0, 9.1), ['M10', 13]);
    assert.deepEqual(await recorded('DISK'), ['DISK_AUTO_SCALE_INITIATED']);
    assert.deepEqual(await pass(1, 0, 99), ['M10', 100], 'as large as the size allows');
    await pass(1, 0, 99);
    await pass(1, 0, 99);
    assert.deepEqual(
      (await recorded('DISK')).slice(2),
      ['DISK_AUTO_SCALE_MAX_DISK_SIZE_FAIL'],
      'recorded once',
    );

    assert.deepEqual(await pass(18, 95, 1), ['M10', 100], 'not long enough yet');
    assert.deepEqual(await pass(4, 95, 1), ['M20', 100]);
    assert.deepEqual(await pass(21, 95, 1), ['M30', 100]);
    await pass(11, 95, 1);
    await pass(11, 95, 1);
    assert.deepEqual(await recorded('COMPUTE'), [
      'COMPUTE_AUTO_SCALE_INITIATED_BASE',
      'COMPUTE_AUTO_SCALE_INITIATED_BASE',
      'COMPUTE_AUTO_SCALE_MAX_INSTANCE_SIZE_FAIL_BASE',
    ]);
    assert.deepEqual(await pass(260, 10, 1), ['M30', 100], 'changed within the last day');
    machine.advance(24 * 60 * MINUTE_MS);
    assert.deepEqual(await pass(260, 10, 1), ['M20', 100]);
  },
);
