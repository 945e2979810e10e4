import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pollsOf } from '../../bson/testing-turns.ts';
import type { Token } from '../analyzers.ts';
import { Searching } from './searching.ts';
import { phraseOrSynonyms, wordsOrSynonyms } from './synonym-query.ts';
import { numberedSegment } from './testing-segments.ts';

const field = { path: 't', key: 't:t', mapping: undefined };

function tokens(count: number): Token[] {
  return Array.from({ length: count }, (_, at) => ({ term: `w${at}`, position: at, start: 0, end: 0 }));
}

test('each word of a phrase with synonyms is checked, and lists are copied once per word that has synonyms', () => {
  let [checks, clauses] = [0, 0];
  const search = new Searching(undefined, [], () => void checks++);
  const synonyms = {
    analyzer: 'lib.standard',
    at: (words: readonly string[], at: number) =>
      words[at] === 'w999' || words[at] === 'w0'
        ? { length: 1, itself: true, others: [['other']] }
        : undefined,
  };
  search.clause = () => void clauses++;
  phraseOrSynonyms(tokens(1_000), field, 0, synonyms, search);
  assert.equal(clauses, 4);
  assert.ok(checks > 1_000, `${checks}`);
});

test('choosing the best of several synonyms counts a pass through each of their lists', () => {
  const SIZE = 200_000;
  const segment = numberedSegment(SIZE, 'n');
  const search = new Searching(undefined, [segment], () => {});
  const others = Array.from({ length: 9 }, (_, at) => [`s${at}`]);
  const synonyms = { analyzer: 'lib.standard', at: () => ({ length: 1, itself: true, others }) };
  const [operator] = wordsOrSynonyms(tokens(1), field, 'any', synonyms, search);
  const polls = pollsOf(() => operator?.hits(segment));
  // Each of the ten lists takes one pass to create and one to read. One more pass creates the list of results.
  assert.equal(polls, 21);
});
