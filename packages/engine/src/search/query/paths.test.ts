import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pollsOf } from '../../bson/testing-turns.ts';
import { keys } from '../mapping/field.ts';
import { pathsLike, wildcardMatches } from './paths.ts';
import type { Searching } from './searching.ts';

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

test('searching for a long piece in a long path is counted, and is not tried in a path that is too short', () => {
  const path = 'a'.repeat(8_000);
  const segments = [{ fields: () => [keys.text(path)] }];
  const search = { segments, hold() {} } as unknown as Searching;
  const find = (wildcard: string) => pathsLike(wildcard, keys.text(''), search);
  assert.ok(pollsOf(() => assert.deepEqual(find(`*${'a'.repeat(4_000)}*`), [path])) > 0);
  const { indexOf } = String.prototype;
  let searches = 0;
  String.prototype.indexOf = function (...args) {
    searches++;
    return indexOf.apply(this, args);
  };
  try {
    assert.equal(wildcardMatches(`*${'a'.repeat(8_001)}*`, path), false);
  } finally {
    String.prototype.indexOf = indexOf;
  }
  assert.equal(searches, 0);
});
