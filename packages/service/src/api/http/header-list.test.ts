import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerList } from './header-list.ts';

test('the entries of a header are separated by commas and white space', () => {
  assert.deepEqual(headerList('gzip , br;q=0.5,\tzstd'), ['gzip', 'br;q=0.5', 'zstd']);
});

test('white space is read once', () => {
  // Reading the rest of the text again at each character would take hours.
  const text = `a${' '.repeat(4_000_000)}b`;
  assert.deepEqual(headerList(text), [text]);
});
