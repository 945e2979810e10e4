import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wildcardMatches } from './paths.ts';

test('a wildcard in a path stands for any characters', () => {
  for (const [wildcard, path, matches] of [
    ['a.b', 'a.b', true],
    ['a.b', 'a.bc', false],
    ['*', '', true],
    ['*', 'a.b', true],
    ['a.*', 'a.b.c', true],
    ['a.*', 'b.a.c', false],
    ['*.c', 'a.b.c', true],
    ['a*b*c', 'a.bb.c', true],
    ['a*b*c', 'a.c.b', false],
    ['ab*ba', 'aba', false],
    ['a*b*b', 'a.b', false],
    ['*.+(', 'x.+(', true],
  ] as const) {
    assert.equal(wildcardMatches(wildcard, path), matches, `${wildcard} ${path}`);
  }
});

test('a wildcard with many stars does not try all of their combinations', () => {
  assert.equal(wildcardMatches(`${'*a'.repeat(40)}*b`, 'a'.repeat(200)), false);
});
