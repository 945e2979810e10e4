import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeDocument } from '../bson/encode.ts';
import { RawDocument } from '../bson/raw.ts';
import { synonymsIn } from './synonyms.ts';

/** Reads equivalent words. */
function reading(words: readonly string[]) {
  let checks = 0;
  const document = new RawDocument(encodeDocument({ mappingType: 'equivalent', synonyms: words }));
  const analyze = (text: string) => [[{ term: text, position: 0, start: 0, end: text.length }]];
  const source = synonymsIn([document], { analyzer: 'lib.standard', analyze }, () => void checks++);
  return { source, checks: () => checks };
}

const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`);

test('reading synonyms and looking them up checks each of them', () => {
  const { source, checks } = reading(words(1_000));
  // Each word is analyzed, and is then a key.
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
