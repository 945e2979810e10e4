import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf, changeText, type Run } from './change.ts';
import type { Figure } from './figure.ts';

const alone: Figure = { name: 'idle service, resident', value: 120, unit: 'MB' };
const beside: Figure = { name: 'findOne', value: 800, unit: '/s', baseline: { name: 'bare', value: 1000 } };
const before: Run = {
  machine: 'one',
  measured: '2026-11-21',
  figures: [
    { ...alone, value: 100 },
    { ...beside, value: 200, baseline: { name: 'bare', value: 500 } },
  ],
};

test('figures without a baseline are compared only between runs on the same machine', () => {
  assert.equal(changeText(changeOf(alone, 'one', before)), '+20 %');
  assert.equal(changeText(changeOf(alone, 'another', before)), '');
});

test('figures with a baseline are compared by their ratios, on any machine', () => {
  assert.equal(changeText(changeOf(beside, 'another', before)), '+100 %');
});

test('new figures and noise are not changes', () => {
  assert.equal(changeText(changeOf(alone, 'one', undefined)), '');
  assert.equal(changeText(changeOf({ ...alone, unit: 'MiB' }, 'one', before)), '');
  assert.equal(changeText(changeOf({ ...alone, value: 109 }, 'one', before)), '=');
  assert.equal(changeText(changeOf({ ...alone, value: 60 }, 'one', before)), '−40 %');
});
