import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type ServiceClock, serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { testClock } from '@portolan/foundation/testing';
import { onEachDatabase } from '@portolan/test-support/databases';
import { BucketError } from '../../objects/object-store.ts';
import type { DatabaseLocation, Store } from '../../store/index.ts';
import type { Ending } from '../../store/testing.ts';
import type { TaskContext } from '../../tasks/index.ts';
import { type ClusterWork, clusterById } from '../clusters/index.ts';
import { makeCluster, openClusters } from '../clusters/testing.ts';
import { insertRole } from '../provider-access/testing.ts';
import type { Services } from '../services.ts';
import { exportPeriod } from './files.ts';
import { exportMark, findLogExport, type LogExportRow, saveLogExport, saveMark } from './rows.ts';
import { exportLogs } from './tasks.ts';

const START = Date.UTC(2025, 3, 1);
const MINUTE_MS = 60_000;

async function stage(t: Ending, database: DatabaseLocation) {
  const machine = testClock(START);
  const clock = serviceClock(machine);
  const { store, groupId } = await openClusters(t, database, [], { clock, machine });
  const { id: clusterId } = await store.write((tx) => makeCluster(tx, groupId));
  const row = await store.write(async (tx) => {
    const at = { groupId, created: tx.now, updated: tx.now, authorized: tx.now };
    const roleId = tx.id();
    const identity = { provider: 'AWS', externalId: roleId } as const;
    await insertRole(tx, { ...at, id: roleId, identity });
    const configuration = { bucketName: 'logs', roleId, prefixPath: '' };
    const created: LogExportRow = {
      ...configuration,
      groupId,
      created: tx.now,
      revision: 'a',
      state: 'ACTIVE',
    };
    await saveLogExport(tx, created);
    return created;
  });
  const save = (change: Partial<LogExportRow>) =>
    store.write((tx) => saveLogExport(tx, { ...row, ...change }));
  const mark = () => store.read((tx) => exportMark(tx, clusterId));
  return { machine, clock, store, groupId, clusterId, save, mark };
}

interface Attempt {
  readonly store: Store;
  readonly clock: ServiceClock;
  readonly clusterId: string;
}

const clouds = {
  stsUrl: undefined,
  get s3Url(): string {
    throw new BucketError('unavailable', 'try again');
  },
};

/** Runs both steps of an export to an unavailable bucket. */
async function exportOnce({ store, clock, clusterId }: Attempt, attempt: number): Promise<void> {
  const services = { clock, clouds, engines: { at: () => ({}) } };
  const context = {
    ...{ store, services, log: silentLog(), attempt, payload: { clusterId } },
  } as unknown as TaskContext<Services, ClusterWork>;
  for (const step of exportLogs.steps) {
    const result = await step.run?.(context);
    await store.write(async (tx) => step.commit?.(tx, context, result));
  }
}

onEachDatabase(
  'an export keeps its period until it succeeds, and the state tells that the last attempt failed',
  async (t, database) => {
    const { machine, mark, save, groupId, ...at } = await stage(t, database);
    machine.advance(MINUTE_MS);
    await assert.rejects(exportOnce(at, 9), { trouble: 'unavailable' });
    const begun = { until: new Date(START + MINUTE_MS - 1000).toISOString(), revision: 'a', written: [] };
    assert.deepEqual(await mark(), { exported: new Date(START), begun });
    machine.advance(MINUTE_MS);
    await exportOnce(at, 10);
    assert.deepEqual(await mark(), { exported: new Date(START), begun });
    const row = await at.store.read((tx) => findLogExport(tx, groupId));
    assert.equal(row?.state, 'BUCKET_VERIFICATION_FAILED');
    // After a change of the bucket, the export writes all files again, including `a/mongodb`.
    await at.store.write((tx) =>
      saveMark(tx, at.clusterId, { exported: new Date(START), begun: { ...begun, written: ['a/mongodb'] } }),
    );
    await save({ revision: 'b', state: 'ACTIVE' });
    await exportOnce(at, 10);
    assert.deepEqual((await mark())?.begun, { ...begun, revision: 'b' });
  },
);

onEachDatabase('no export begins while the bucket is verified', async (t, database) => {
  const { machine, mark, save, groupId, ...at } = await stage(t, database);
  await save({ state: 'INITIATING' });
  machine.advance(MINUTE_MS);
  await exportOnce(at, 10);
  assert.equal(await mark(), undefined);
  const row = await at.store.read((tx) => findLogExport(tx, groupId));
  assert.equal(row?.state, 'INITIATING');
});

onEachDatabase('a repeated export does not replace complete files', async (t, database) => {
  const { store, clusterId } = await stage(t, database);
  const cluster = (await store.read((tx) => clusterById(tx, clusterId))) ?? assert.fail();
  const members = [1, 2].map((port) => ({ id: `member-${port}`, port }));
  const placed = { ...cluster, placement: { ...cluster.placement, members } } as unknown as typeof cluster;
  const engine = { logs: () => Readable.from([Buffer.from('{}\n')]) };
  const exported = { cluster: placed, orgId: 'o', naming: { tls: false }, engine } as unknown as Parameters<
    typeof exportPeriod
  >[0];
  const written = new Set<string>();
  const period = { from: new Date(START), to: new Date(START + MINUTE_MS) };
  const keys: string[] = [];
  let room = 1;
  const bucket = {
    async put(key: string) {
      if (room-- <= 0) throw new Error('full');
      keys.push(key);
    },
  };
  await assert.rejects(exportPeriod(exported, { bucket, prefixPath: '' }, period, written), {
    message: 'full',
  });
  room = 9;
  await exportPeriod(exported, { bucket, prefixPath: '' }, period, written);
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(keys.length, written.size);
});
