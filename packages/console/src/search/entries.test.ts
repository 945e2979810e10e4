import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Entry, search } from './entries.ts';

const entry = (title: string, detail = ''): Entry => ({ title, detail, to: `/${title}` });
const titles = (entries: readonly Entry[]) => entries.map(({ title }) => title);

test('entries with all words are found; those that begin with the text come first', () => {
  const pages = [entry('Old quay'), entry('Quay', 'harbour'), entry('Data', 'Harbour')];
  assert.deepEqual(titles(search(pages, [], 'quay')), ['Quay', 'Old quay']);
  assert.deepEqual(titles(search(pages, [], ' QUAY harb')), ['Quay']);
  assert.deepEqual(titles(search(pages, [], '')), ['Old quay', 'Quay', 'Data']);
});

test('resources are searched from two letters', () => {
  const groups = [{ title: 'People', to: '/people', entries: [entry('ada@example.org', 'person')] }];
  assert.deepEqual(search([], groups, ' a'), []);
  assert.deepEqual(titles(search([], groups, 'ad')), ['ada@example.org']);
  assert.deepEqual(titles(search([], groups, 'person ada')), ['ada@example.org']);
});

test('a kind with more than eight matches ends with a link to its page', () => {
  const entries = (count: number) => Array.from({ length: count }, (_, index) => entry(`reader ${index}`));
  const find = (count: number) =>
    search([], [{ title: 'API keys', to: '/keys', entries: entries(count) }], 'reader');
  assert.deepEqual(find(8), entries(8));
  assert.deepEqual(find(11), [...entries(8), { title: '3 more in API keys', detail: 'page', to: '/keys' }]);
});
