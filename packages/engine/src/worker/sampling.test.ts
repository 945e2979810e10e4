import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { RawDocument } from '../bson/raw.ts';
import { databaseSizes } from '../commands/diagnostics/database-sizes.ts';
import { storeView } from '../commands/views/view.ts';
import type { Observation } from '../observe/observation.ts';
import { OperationCounters } from '../observe/operation-counters.ts';
import { ClusterStore } from '../storage/cluster-store.ts';
import type { OpenCluster } from './open-cluster.ts';
import { addSamples, Sampling } from './sampling.ts';

const clusterOf = (counters: OperationCounters) => ({ counters }) as OpenCluster;

test('the CPU time of a thread is divided by how long the statements of each member ran', () => {
  const [one, other] = [new OperationCounters(), new OperationCounters()];
  let taken = { user: 1_000, system: 100 };
  const sampling = new Sampling(() => taken);
  const clusters = [clusterOf(one), clusterOf(other)];
  one.of('m0').busy += 30;
  one.of('m1').busy += 10;
  other.of('m0').busy += 60;
  taken = { user: 2_000, system: 300 };
  sampling.share(clusters);
  assert.deepEqual(one.of('m0').processor, { user: 300, kernel: 60 });
  assert.deepEqual(one.of('m1').processor, { user: 100, kernel: 20 });
  assert.deepEqual(other.of('m0').processor, { user: 600, kernel: 120 });
  taken = { user: 2_500, system: 300 };
  sampling.share(clusters);
  assert.deepEqual(
    one.of('m0').processor,
    { user: 300, kernel: 60 },
    'no statement ran: no member is charged',
  );
  other.of('m0').busy += 1;
  taken = { user: 2_600, system: 300 };
  sampling.share(clusters);
  assert.deepEqual(other.of('m0').processor, { user: 700, kernel: 120 });
});

test('the sampling of many clusters has pauses', async () => {
  let now = 0;
  let turns = 0;
  const added: string[] = [];
  const samples = Array.from({ length: 9 }, (_, at) => [`c${at}`, {} as Observation] as const);
  await addSamples(
    samples,
    {
      add(clusterId) {
        added.push(clusterId);
        now += 2;
      },
    },
    { monotonic: () => now },
    async () => void turns++,
  );
  assert.deepEqual([added.length, turns], [9, 3]);
});

test('the sizes of databases are computed without reading views', () => {
  const dir = mkdtempSync(join(tmpdir(), 'sampling-'));
  const store = ClusterStore.open(dir, systemRandom(), { now: () => 1, term: () => 1 });
  try {
    store.write(() => {
      store.create('test', 'c', RawDocument.empty);
      for (const name of ['v', 'w']) storeView(store, 'test', { name, on: 'c', pipeline: [] });
      // Restored files can have views of time series.
      store.create('test', 's', RawDocument.from({ timeseries: { timeField: 't' } }));
      storeView(store, 'test', { name: 's', on: 'system.buckets.s', pipeline: [] });
    });
    const { examined } = store.running;
    const before = examined.documents;
    const { views, collections } = databaseSizes(store)['test'] ?? {};
    assert.deepEqual(
      [views, collections, examined.documents - before],
      [2, 3, 1],
      'only the view of the time series',
    );
  } finally {
    store.close();
    rmSync(dir, { recursive: true });
  }
});
