import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCompilable } from './pattern-size.ts';

test('patterns of usual size can be compiled', () => {
  for (const pattern of [
    '',
    '.*',
    'a{1000}',
    '.{0,1000}',
    '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    '(shard-[0-9]{2}){1,3}',
    '\\p{L}{2,}',
    '(a|b)'.repeat(190),
  ])
    assert.ok(isCompilable(pattern), pattern);
});

test('patterns that would exhaust memory cannot be compiled', () => {
  for (const pattern of [
    `(?:${'a?'.repeat(480)}){1000}`,
    `(?:${'a?'.repeat(480)}[(]){500,1000}`,
    `(?:${'a?'.repeat(200)}){500,}`,
    `(?:(?:${'a?'.repeat(200)}){10}){10}`,
    '.{1000}'.repeat(140),
    `(?:${'a?'.repeat(480)}){100}?`,
  ])
    assert.ok(!isCompilable(pattern), pattern);
});
