import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inputsOf, planOf, type Stage } from './plan.ts';

/** The names of the stages, from the outermost to the innermost. */
const names = (stage: Stage | undefined): unknown =>
  stage && [stage.stage, ...inputsOf(stage).map((inner) => names(inner))];

const scan = { queryPlanner: { winningPlan: { stage: 'FETCH', inputStage: { stage: 'IXSCAN' } } } };

test('the plan of a query has the executed stages, if the reply contains them', () => {
  assert.deepEqual(names(planOf(scan)), ['FETCH', ['IXSCAN']]);
  const executed = { executionStats: { executionStages: { stage: 'COLLSCAN', nReturned: 2 } } };
  assert.deepEqual(planOf({ ...scan, ...executed }), { stage: 'COLLSCAN', nReturned: 2 });
  assert.equal(planOf({}), undefined);
});

test('the plan of an aggregation contains every stage', () => {
  const group = { _id: '$name' };
  const plan = planOf({ stages: [{ $cursor: scan }, { $group: group }, { $sort: { n: 1 }, nReturned: 3 }] });
  assert.deepEqual(names(plan), ['$sort', ['$group', ['FETCH', ['IXSCAN']]]]);
  assert.deepEqual([plan?.definition, plan?.nReturned, plan?.inputStage?.definition], [{ n: 1 }, 3, group]);
});

test('the plan of a sharded cluster contains the stages of each shard', () => {
  const shards = { one: { stages: [{ $cursor: scan }, { $group: {} }] }, other: scan };
  const merged = planOf({ shards, splitPipeline: { mergerPart: [{ $mergeCursors: {} }, { $group: {} }] } });
  const each = [
    ['one', ['$group', ['FETCH', ['IXSCAN']]]],
    ['other', ['FETCH', ['IXSCAN']]],
  ];
  assert.deepEqual(names(merged), ['$group', ['$mergeCursors', ['SHARDS', ...each]]]);
  assert.deepEqual(names(planOf({ shards, splitPipeline: null })), ['SHARDS', ...each]);
  const found = { stage: 'SHARD_MERGE', shards: [{ executionStages: { stage: 'COLLSCAN' } }, {}] };
  assert.deepEqual(names(planOf({ executionStats: { executionStages: found } })), [
    'SHARD_MERGE',
    ['COLLSCAN'],
  ]);
});
