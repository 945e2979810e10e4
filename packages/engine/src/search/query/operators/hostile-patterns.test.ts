import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wildcardPattern } from './patterns.ts';

/** Counts the steps that a test of a term reports, at most `PASSES` of them at once. */
function spentOn(query: string, term: string) {
  let [all, most] = [0, 0];
  const spend = (steps: number) => {
    all += steps;
    most = Math.max(most, steps);
  };
  const matches = wildcardPattern(query, 'query').pattern.test(term, { checkNow() {}, spend });
  return { matches, all, most };
}

test('counts the steps of a wildcard that tries a long piece at each position', () => {
  const { matches, all, most } = spentOn(`*${'a'.repeat(500)}b`, 'a'.repeat(1_000));
  assert.equal(matches, false);
  assert.ok(all > 200_000, `${all}`);
  assert.ok(most <= 4_096, `${most}`);
  assert.deepEqual(spentOn('a*', 'ab'), { matches: true, all: 0, most: 0 });
});

test('rejects a wildcard that is longer than any term', () => {
  assert.throws(
    () => wildcardPattern('a'.repeat(100_001), 'query'),
    /"query" has more than 100000 characters/,
  );
});
