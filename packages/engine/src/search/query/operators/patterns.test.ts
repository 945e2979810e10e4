import assert from 'node:assert/strict';
import { test } from 'node:test';
import { regexPattern } from './patterns.ts';

const unwatched = { checkNow() {}, spend() {} };

function matches(query: string, term: string): boolean {
  return regexPattern(query, 'regex.query').pattern.test(term, unwatched);
}

test('regular expressions match whole terms, with the syntax of Lucene', () => {
  assert.ok(matches('har.our', 'harbour'));
  assert.ok(!matches('harb', 'harbour'));
  assert.ok(!matches('harbour', 'harbour\n'));
  assert.ok(matches('"a.b"@', 'a.bcd\n'));
  assert.ok(matches('a^$', 'a^$'));
  assert.ok(matches('quay|[^a-y]+', 'z'));
  assert.throws(() => matches('a(', 'a'), /is not a valid regular expression/);
});

test('an expression has a maximum length, unless it is only a text', () => {
  assert.throws(() => matches(`${'a'.repeat(8192)}.`, 'a'), /more than 8192 characters/);
  assert.ok(matches('a'.repeat(100_000), 'a'.repeat(100_000)));
  assert.ok(!matches('a'.repeat(100_000), 'a'));
});

test('ranges of numbers are translated in time that grows with the number of digits', () => {
  for (const value of ['1', '42', '7'.repeat(18)]) assert.ok(matches(`<1-${'9'.repeat(18)}>`, value), value);
  assert.ok(!matches(`<1-${'9'.repeat(18)}>`, '0'));
  for (let value = 0; value < 320; value++)
    assert.equal(matches('<7-305>', String(value)), value >= 7 && value <= 305, String(value));
});

test('repetitions of optional parts can be interrupted', () => {
  const { pattern } = regexPattern('(a?){400}a*', 'regex.query');
  let checks = 0;
  const statement = {
    spend() {},
    checkNow() {
      if (++checks === 3) throw new Error('interrupted');
    },
  };
  assert.throws(() => pattern.test(`${'a'.repeat(4000)}b`, statement), /interrupted/);
});
