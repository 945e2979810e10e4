import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pollsOf } from '../../bson/testing-turns.ts';
import { parseLucene } from './lucene-syntax.ts';

test('other statements can run while a long query is parsed', () => {
  const polls = pollsOf(() => assert.ok(parseLucene('a b AND c '.repeat(1_000))));
  assert.ok(polls > 60, `${polls}`);
});

test('AND makes the clauses on both sides required', () => {
  const clause = parseLucene('a b AND c d');
  assert.ok(clause?.kind === 'boolean');
  const texts = (all: typeof clause.must) => all.map((one) => one.kind === 'term' && one.text);
  assert.deepEqual(
    [texts(clause.must), texts(clause.should)],
    [
      ['b', 'c'],
      ['a', 'd'],
    ],
  );
});
