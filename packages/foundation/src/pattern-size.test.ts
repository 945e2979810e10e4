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

test('ranges of a pattern that ignores case count by the number of their characters', () => {
  const ranges = (count: number) => `[${'a-\u{10ffff}'.repeat(count)}]`;
  assert.ok(isCompilable(ranges(100)));
  assert.ok(!isCompilable(ranges(100), true));
  for (const pattern of [
    `(?i)${ranges(100)}`,
    `(?s:(?mi-s)${ranges(100)})`,
    `(?i)[${'--\u{10ffff}'.repeat(100)}]`,
    `(?i)[${'a-\\x{10ffff}'.repeat(100)}]`,
    `(?i)[${'\\x{61}-\\U0010ffff'.repeat(100)}]`,
  ])
    assert.ok(!isCompilable(pattern), pattern);
  for (const pattern of [
    '(?i)[a-z0-9]+-[\u{e0}-\u{ff}]',
    '(?i)[\u{4e00}-\u{9fa5}]+',
    '(?i)[^\\x{0}-\\x{10ffff}]',
  ])
    assert.ok(isCompilable(pattern), pattern);
});

test('Unicode properties count as many characters', () => {
  assert.ok(isCompilable('\\p{L}+'.repeat(100)));
  assert.ok(!isCompilable('\\pL'.repeat(300)));
});
