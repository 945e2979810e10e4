import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allTokens, analyzerNamed, autocompleteAnalyzer } from './index.ts';

const words = analyzerNamed('lib.standard') ?? assert.fail();

const grams = (tokenization: 'edgeGram' | 'nGram' | 'rightEdgeGram', text: string, minGrams = 2) =>
  allTokens(
    autocompleteAnalyzer(words, { minGrams, maxGrams: 5, tokenization, foldDiacritics: true }),
    text,
  ).map(({ term }) => term);

test('grams extend over up to three words, and repeat for each group of words', () => {
  const the = ['th', 'the'];
  const quick = ['qu', 'qui', 'quic', 'quick'];
  const all = [...the, ...the, 'the ', 'the q', 'the q', ...the, 'the ', 'the q', 'the q'];
  assert.deepEqual(grams('edgeGram', 'The quick fox'), [...all, ...quick, ...quick, 'quick', 'fo', 'fox']);
});

test('grams from the end of a word extend over up to two preceding words', () => {
  assert.deepEqual(grams('rightEdgeGram', 'ab c dog', 3), [
    ...['ab', 'c', 'b c', 'ab c'],
    ...['dog', 'dog', ' dog', 'c dog', 'dog', ' dog', 'c dog', 'c dog'],
  ]);
});

test('grams from each character extend over the following words', () => {
  assert.deepEqual(grams('nGram', 'The qu', 4), [
    ...['the', 'the ', 'the q', 'he q', 'he qu', 'e qu', 'the q'],
    'qu',
  ]);
});

test('a text of many words has grams of all of them', () => {
  const text = Array.from({ length: 1_000 }, (_, i) => `w${1_000 + i}`).join(' ');
  assert.equal(new Set(grams('edgeGram', text, 5)).size, 1_000);
  assert.equal(new Set(grams('rightEdgeGram', text, 5)).size, 1_000);
});
