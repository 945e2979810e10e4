import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyzerNamed } from '../analysis/index.ts';
import type { Segment } from '../file/segment.ts';
import { Searching } from './searching.ts';
import { apartFrom } from './span-places.ts';
import { eitherOf, filtered, type SpanSource } from './spans.ts';

test('much work at once is checked as often as the same work in pieces', () => {
  let checks = 0;
  const search = new Searching(undefined, [], () => void checks++);
  search.spend(1);
  assert.equal(checks, 1);
  search.spend(10_000_000);
  assert.ok(checks > 2000, `${checks} checks`);
  assert.throws(() => search.spend(500_000_000), /more than 500000000 steps/);
});

test('the time is looked at after each batch of tokens', () => {
  let looks = 0;
  const check = Object.assign(() => {}, { now: () => void looks++ });
  const analyzer = analyzerNamed('lib.standard') ?? assert.fail();
  new Searching(undefined, [], check).allTokens(analyzer, 'word '.repeat(10_000));
  assert.ok(looks > 10, `${looks}`);
});

/** A source that has many spans in each document. */
const manySpans: SpanSource = {
  field: 't',
  mapping: undefined,
  query: 'a',
  terms: ['a'],
  looksFor: [],
  candidates: ({ size }) => new Uint8Array(size).fill(1),
  spans: () => Array.from({ length: 10_000 }, (_, start) => ({ start, end: start + 1 })),
};

test('combining many spans is checked for each span', () => {
  let checks = 0;
  const search = new Searching(undefined, [], () => void checks++);
  const segment = {} as Segment;
  assert.equal(eitherOf(search, [manySpans, manySpans]).spans(segment, 0).length, 20_000);
  assert.ok(checks > 40_000, `${checks}`);
  checks = 0;
  assert.equal(filtered(search, 'a', manySpans, () => () => true).spans(segment, 0).length, 10_000);
  assert.ok(checks > 10_000, `${checks}`);
});

test('spans of many alternatives are compared with few others', () => {
  const search = new Searching(undefined, [], () => {});
  const segment = {} as Segment;
  const many = eitherOf(search, Array(50).fill(manySpans));
  for (let doc = 0; doc < 10; doc++)
    assert.equal(filtered(search, 'a', manySpans, apartFrom, many).spans(segment, doc).length, 0);
});

test('the memory for the spans of a document is limited', () => {
  const search = new Searching(undefined, [], () => {});
  const spans = Array.from({ length: 10_000 }, (_, start) => ({ start, end: start + 1 }));
  const many = eitherOf(search, Array(300).fill({ ...manySpans, spans: () => spans }));
  assert.throws(() => many.spans({} as Segment, 0), /take more than 104857600 bytes of memory/);
});

test('memory that the facets of a search keep is limited, and can be released', () => {
  const search = new Searching(undefined, [], () => {});
  const limit = 100 * 1024 * 1024;
  search.hold(limit);
  search.release(10);
  search.hold(10);
  assert.throws(() => search.hold(1), /take more than 104857600 bytes of memory/);
});
