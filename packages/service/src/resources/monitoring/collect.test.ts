import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createEmbeddedEngine, type EmbeddedEngine } from '@portolan/engine/management';
import { serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { testClock } from '@portolan/foundation/testing';
import { onEachDatabase } from '@portolan/test-support/databases';
import { until } from '@portolan/test-support/expect';
import { enginePorts } from '@portolan/test-support/ports';
import type { Store } from '../../store/index.ts';
import { makeCluster, openClusters } from '../clusters/testing.ts';
import type { Services } from '../services.ts';
import { collectMeasurements } from './collect.ts';
import { measurementsIn } from './measured/rows.ts';
import { readSums } from './measured/stored.ts';

interface Tables {
  cluster: { id: string; state: string; placement: string };
}

const NOON = Date.UTC(2026, 2, 12, 12);
const MINUTE_MS = 60_000;
const MEMBER = 'shard-00-00';

async function openEngine(t: TestContext): Promise<EmbeddedEngine> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portolan-measured-'));
  const engine = createEmbeddedEngine({ dataDir, log: silentLog(), ports: await enginePorts() });
  t.after(async () => {
    await engine.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  await engine.start();
  return engine;
}

/** Creates a running cluster with one node. */
async function openCluster(store: Store, groupId: string, engine: EmbeddedEngine): Promise<string> {
  const { id } = await store.write((tx) => makeCluster(tx, groupId));
  const { members } = await engine.provision({
    ...{ id, clusterName: 'c', replicaSetName: 'c-shard-0', majorVersion: '8.0', version: '8.0.4' },
    members: [{ id: MEMBER, shard: 0, kind: 'electable', provider: 'AWS', region: 'US_EAST_1', priority: 7 }],
    access: { revision: 1, users: [], addresses: [] },
  });
  await store.write(async (tx) => {
    const rows = tx.from<Tables>();
    const row = await rows.selectFrom('cluster').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const placement = JSON.stringify({ ...JSON.parse(row.placement), members });
    await rows.updateTable('cluster').set({ state: 'IDLE', placement }).where('id', '=', id).execute();
  });
  return id;
}

onEachDatabase('activity while no service runs is counted at the time it happened', async (t, database) => {
  const machine = testClock(NOON);
  const { store, groupId } = await openClusters(t, database, [], { clock: serviceClock(machine) });
  const engine = await openEngine(t);
  const clusterId = await openCluster(store, groupId, engine);
  const engines = { reachable: () => ['host'], keeps: () => true, at: () => engine };
  const services = { store, engines, machine, clock: serviceClock(machine), log: silentLog() };

  const sampledInserts = async () => {
    await engine.measure();
    const [member] = await engine.newestSamples([clusterId]);
    return member?.samples.at(-1)?.operations.insert;
  };
  /**
   * Inserts one document per minute. Samples the members until a sample contains the insert, since threads may report
   * it late.
   */
  const pass = async (first: number, last: number) => {
    for (let minute = first; minute <= last; minute++) {
      await engine.setClock({ at: NOON + minute * MINUTE_MS, since: Date.now(), rate: 0 });
      await engine.run(clusterId, { insert: 'ports', $db: 'harbour', documents: [{ minute }] });
      await until(`a sample with insert ${minute + 1}`, sampledInserts, (inserts) => inserts === minute + 1);
    }
  };
  /** Collects once, as the service does. */
  const serve = async () => {
    const collecting = collectMeasurements(services as unknown as Services);
    machine.advance(10_000);
    await collecting.stop();
  };
  const counted = async () => {
    const of = { clusterId, memberId: MEMBER, seconds: 60 };
    const rows = await store.read((tx) => measurementsIn(tx, of, { start: 0, end: Number.MAX_SAFE_INTEGER }));
    return rows.map(({ start, document }) => {
      // Compare sums and not the number of samples. That number varies, since the engine also takes a sample every ten
      // seconds.
      return [(start - NOON) / MINUTE_MS, readSums(document).counts['op.insert'] ?? 0];
    });
  };

  const expected = (last: number) =>
    Array.from({ length: last + 1 }, (_, minute) => [minute, minute === 0 ? 0 : 1]);
  await pass(0, 2);
  await serve();
  assert.deepEqual(await counted(), expected(2));
  // Take more samples than the engine keeps in memory.
  await pass(3, 20);
  await serve();
  assert.deepEqual(await counted(), expected(20));
  await serve();
  assert.deepEqual(await counted(), expected(20), 'each sample counts once');
});
