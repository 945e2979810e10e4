import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadFamilies } from '../load.ts';
import { afterCall } from './rules.ts';
import type { FaultRule } from './schema.ts';
import { kindsWithFaults } from './works.ts';

/** Returns the numbers of the calls that trigger a fault. */
function triggeringCalls(rule: Partial<FaultRule>, calls: number): number[] {
  let row = { id: 'f', created: new Date(0), rule: { seed: 0, ...rule }, calls: 0, met: 0 };
  const met: number[] = [];
  for (let call = 1; call <= calls; call++) {
    const after = afterCall(row);
    row = after.row;
    if (after.isTriggered) met.push(call);
  }
  assert.deepEqual([row.calls, row.met], [calls, met.length]);
  return met;
}

test('a fault is triggered by every call after those to skip, up to its maximum', () => {
  assert.deepEqual(triggeringCalls({}, 3), [1, 2, 3]);
  assert.deepEqual(triggeringCalls({ skip: 2, times: 2 }, 6), [3, 4]);
  assert.deepEqual(triggeringCalls({ probability: 0 }, 3), []);
});

test('the seed determines which calls trigger a fault with a probability', () => {
  const met = triggeringCalls({ seed: 1852, probability: 0.25 }, 4000);
  assert.deepEqual(triggeringCalls({ seed: 1852, probability: 0.25 }, 4000), met);
  assert.notDeepEqual(triggeringCalls({ seed: 1853, probability: 0.25 }, 4000), met);
  assert.ok(met.length > 900 && met.length < 1100, `${met.length} of 4000`);
  assert.deepEqual(triggeringCalls({ seed: 1852, probability: 0.25, times: 5 }, 4000), met.slice(0, 5));
});

test('each task kind for which a fault can be declared exists', async () => {
  const families = await loadFamilies();
  const kinds = new Set(families.flatMap(({ tasks = [] }) => tasks.map(({ kind }) => kind)));
  assert.deepEqual(
    kindsWithFaults.filter((kind) => !kinds.has(kind)),
    [],
  );
});
