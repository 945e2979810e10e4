import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allTokens, analyzerNamed, autocompleteAnalyzer } from './index.ts';

const words = analyzerNamed('lib.standard') ?? assert.fail();

const grams = (tokenization: 'edgeGram' | 'nGram' | 'rightEdgeGram', text: string, minGrams = 2) =>
  allTokens(
    autocompleteAnalyzer(words, { minGrams, maxGrams: 5, tokenization, foldDiacritics: true }),
    text,
  ).map(({ term }) => term);

test('grams extend over the following words', () => {
  assert.deepEqual(grams('edgeGram', 'The quick fox'), [
    ...['th', 'the', 'the ', 'the q'],
    ...['qu', 'qui', 'quic', 'quick'],
    ...['fo', 'fox'],
  ]);
});

test('grams from the end of a word extend over the preceding words', () => {
  assert.deepEqual(grams('rightEdgeGram', 'over the dog'), [
    ...['er', 'ver', 'over'],
    ...['he', 'the', ' the', 'r the'],
    ...['og', 'dog', ' dog', 'e dog'],
  ]);
});

test('grams from each character extend over the following words', () => {
  assert.deepEqual(grams('nGram', 'The qu', 4), ['the', 'the ', 'the q', 'he q', 'he qu', 'e qu', 'qu']);
});
