import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Searching } from './searching.ts';

test('much work at once is checked as often as the same work in pieces', () => {
  let checks = 0;
  const search = new Searching(undefined, [], () => void checks++);
  search.spend(1);
  assert.equal(checks, 1);
  search.spend(10_000_000);
  assert.ok(checks > 2000, `${checks} checks`);
  assert.throws(() => search.spend(500_000_000), /more than 500000000 steps/);
});

test('memory that the facets of a search keep is limited, and can be released', () => {
  const search = new Searching(undefined, [], () => {});
  const limit = 100 * 1024 * 1024;
  search.hold(limit);
  search.release(10);
  search.hold(10);
  assert.throws(() => search.hold(1), /take more than 104857600 bytes of memory/);
});
