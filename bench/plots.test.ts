import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atLeast, atMost, type Figure } from './figure.ts';
import { plots } from './plots.ts';

const figures: Figure[] = [
  { name: 'inserts', value: 120_000, unit: '/s', target: atLeast(60_000) },
  { name: 'idle service', value: 150, unit: 'MB', target: atMost(120) },
  { name: 'no bound', value: 1, unit: 'ms' },
  {
    name: 'get a project',
    value: 0.5,
    unit: 'ms',
    curve: [
      [100, 0.4],
      [100_000, 0.5],
    ],
  },
];

test('targets and growth are drawn, and missed targets have another color', async () => {
  const drawn = await plots(figures);
  assert.deepEqual([...drawn.keys()], ['targets.svg', 'growth.svg']);
  const [targets = '', growth = ''] = drawn.values();
  for (const shown of ['<svg', '>inserts<', '>idle service<', '#3b7ea1', '#c8452d']) {
    assert.ok(targets.includes(shown), shown);
  }
  assert.ok(!targets.includes('no bound'));
  assert.ok(growth.includes('get a project (ms)'));
});

test('nothing is drawn for figures without a target or a curve', async () => {
  assert.equal((await plots([{ name: 'a', value: 1, unit: 'ms' }])).size, 0);
});
