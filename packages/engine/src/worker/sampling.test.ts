import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperationCounters } from '../observe/operation-counters.ts';
import type { OpenCluster } from './open-cluster.ts';
import { Sampling } from './sampling.ts';

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
