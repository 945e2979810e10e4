import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeDocument } from '../bson/encode.ts';
import { RawDocument } from '../bson/raw.ts';
import { Searching } from './query/searching.ts';
import { synonymsIn } from './synonyms.ts';

const analyze = (text: string) => [[{ term: text, position: 0, start: 0, end: text.length }]];

/** Reads equivalent words. */
function reading(words: readonly string[]) {
  let checks = 0;
  const document = new RawDocument(encodeDocument({ mappingType: 'equivalent', synonyms: words }));
  const source = synonymsIn([document], { analyzer: 'lib.standard', analyze }, () => void checks++);
  return { source, checks: () => checks };
}

const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`);

test('reading synonyms and looking them up checks each of them', () => {
  const { source, checks } = reading(words(1_000));
  // There is one check when a word is analyzed, and one when it becomes a key.
  assert.ok(checks() >= 2_000, `${checks()}`);
  const before = checks();
  assert.equal(source.at(['w0'], 0)?.others.length, 999);
  assert.ok(checks() - before >= 1_000, `${checks() - before}`);
});

test('a word with more synonyms than a search may have clauses is refused as soon as they are too many', () => {
  const { source, checks } = reading(words(20_000));
  assert.equal(reading(words(1_025)).source.at(['w0'], 0)?.others.length, 1_024);
  const before = checks();
  assert.throws(() => source.at(['w0'], 0), /maxClauseCount is set to 1024/);
  assert.ok(checks() - before < 2_000, `${checks() - before}`);
});

test('synonyms take a limited amount of memory', () => {
  const documents = function* (count: number) {
    for (let i = 0; i < count; i++)
      yield RawDocument.from({ mappingType: 'equivalent', synonyms: [`a${i}`, `b${i}`] });
  };
  const read = (count: number) =>
    synonymsIn(documents(count), { analyzer: 'lib.standard', analyze }, () => {});
  assert.ok((read(10_000).bytes ?? 0) < 16 * 1024 * 1024);
  assert.throws(() => read(100_000), /takes more than 33554432 bytes of memory/);
});

test('several operators of a search read the same synonyms once', () => {
  let reads = 0;
  const source = { analyzer: 'lib.standard', bytes: 30 * 1024 * 1024, at: () => undefined };
  const search = new Searching(
    undefined,
    [],
    () => {},
    () => {
      reads++;
      return source;
    },
  );
  for (let i = 0; i < 10; i++) search.synonyms('one');
  search.synonyms('two');
  search.synonyms('three');
  assert.equal(reads, 3);
  assert.throws(
    () => search.synonyms('four'),
    /the facets, paths, synonyms, spans and moreLikeThis of the search take more than/,
  );
});
