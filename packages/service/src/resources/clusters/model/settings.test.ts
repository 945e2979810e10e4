import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeSettings, pickSettings, settingsIn } from './settings.ts';

const before = {
  autoScaling: { compute: { enabled: true, scaleDownEnabled: false }, diskGBEnabled: true },
  tags: [{ key: 'team', value: 'blue' }],
};

test('objects are changed field by field, at any depth', () => {
  assert.deepEqual(
    mergeSettings(before, { autoScaling: { compute: { enabled: false, scaleDownEnabled: true } } }),
    {
      ...before,
      autoScaling: { compute: { enabled: false, scaleDownEnabled: true }, diskGBEnabled: true },
    },
  );
});

test('lists and plain values are changed as a whole, and what was not there is added', () => {
  assert.deepEqual(mergeSettings(before, { tags: [], pitEnabled: true }), {
    ...before,
    tags: [],
    pitEnabled: true,
  });
});

test('of a body the settings alone are taken, and those that were given', () => {
  const body = { ...before, name: 'c', diskSizeGB: 10 };
  assert.deepEqual(settingsIn(body), before);
  assert.deepEqual(pickSettings(body, 'tags', 'labels'), { tags: before.tags });
});
