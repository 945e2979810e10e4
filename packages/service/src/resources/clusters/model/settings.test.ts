import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeSettings, pickSettings, settingsIn } from './settings.ts';

const before = {
  autoScaling: { compute: { enabled: true, scaleDownEnabled: false }, diskGBEnabled: true },
  tags: [{ key: 'team', value: 'blue' }],
};

test('merges objects recursively', () => {
  assert.deepEqual(
    mergeSettings(before, { autoScaling: { compute: { enabled: false, scaleDownEnabled: true } } }),
    {
      ...before,
      autoScaling: { compute: { enabled: false, scaleDownEnabled: true }, diskGBEnabled: true },
    },
  );
});

test('replaces lists and scalar values, and adds missing fields', () => {
  assert.deepEqual(mergeSettings(before, { tags: [], pitEnabled: true }), {
    ...before,
    tags: [],
    pitEnabled: true,
  });
});

test('picks only given settings from a body', () => {
  const body = { ...before, name: 'c', diskSizeGB: 10 };
  assert.deepEqual(settingsIn(body), before);
  assert.deepEqual(pickSettings(body, 'tags', 'labels'), { tags: before.tags });
});
