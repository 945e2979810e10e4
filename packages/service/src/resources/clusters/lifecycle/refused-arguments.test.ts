import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterModel } from '../model/cluster.ts';
import { hasOtherArguments } from './refused-arguments.ts';

test('arguments are set again if a restart has reset them, but not if the servers have refused them', () => {
  const cluster = (refused: readonly string[]) =>
    ({
      spec: { arguments: { noTableScan: true, defaultMaxTimeMS: null } },
      placement: { refusedArguments: refused.map((name) => ({ name, reason: 'unknown' })) },
    }) as unknown as ClusterModel;
  const differs = (refused: readonly string[], noTableScan: boolean | null) =>
    hasOtherArguments(cluster(refused), { arguments: { noTableScan, defaultMaxTimeMS: 5 } });
  assert.equal(differs([], true), false);
  assert.equal(differs([], false), true);
  // The members have different values.
  assert.equal(differs([], null), true);
  assert.equal(differs(['noTableScan'], false), false);
  assert.equal(differs(['defaultMaxTimeMS'], false), true);
});
