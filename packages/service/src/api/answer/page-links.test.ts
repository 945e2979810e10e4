import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, PageRequest } from '../../store/page.ts';
import { pageLinks } from './page-links.ts';

const url = 'https://service.test/api/service/v2/groups';
const first: PageRequest = { itemsPerPage: 2, pageNum: 1, includeCount: true };

function links(query: string, request: PageRequest, page: Page<unknown>) {
  return pageLinks({ url, query }, request, page).map(({ rel, href }) => [rel, href.replace(`${url}?`, '')]);
}

test('without a query, links name the page number and size', () => {
  assert.deepEqual(
    links('', { itemsPerPage: 100, pageNum: 1, includeCount: true }, { results: [], totalCount: 0 }),
    [['self', 'pageNum=1&itemsPerPage=100']],
  );
});

test('the caller’s own parameters are kept and encoded, before the paging parameters', () => {
  const query = 'status=OPEN&pageNum=2&name=a%20b%2Fc&itemsPerPage=2&includeCount=true';
  const page = { results: [3, 4], totalCount: 9, next: '5f' };
  assert.deepEqual(links(query, { ...first, pageNum: 2 }, page), [
    ['self', 'status=OPEN&name=a%20b%2Fc&includeCount=true&pageNum=2&itemsPerPage=2'],
    ['previous', 'status=OPEN&name=a%20b%2Fc&includeCount=true&itemsPerPage=2&pageNum=1'],
    ['next', 'status=OPEN&name=a%20b%2Fc&includeCount=true&itemsPerPage=2&pageNum=3&after=5f'],
  ]);
});

test('a page requested by key keeps the key in `self` only', () => {
  const request = { ...first, pageNum: 3, after: '5f' };
  assert.deepEqual(links('itemsPerPage=2&pageNum=3&after=5f', request, { results: [5, 6], next: '60' }), [
    ['self', 'after=5f&pageNum=3&itemsPerPage=2'],
    ['previous', 'itemsPerPage=2&pageNum=2'],
    ['next', 'itemsPerPage=2&pageNum=4&after=60'],
  ]);
});

test('a list without keys has a next page according to its count', () => {
  const relations = (request: PageRequest, page: Page<unknown>) =>
    links('', request, page).map(([rel]) => rel);
  assert.deepEqual(relations(first, { results: [1, 2], totalCount: 3 }), ['self', 'next']);
  assert.deepEqual(relations(first, { results: [1, 2], totalCount: 2 }), ['self']);
  assert.deepEqual(relations({ ...first, pageNum: 2 }, { results: [3], totalCount: 3 }), [
    'self',
    'previous',
  ]);
  assert.deepEqual(relations({ ...first, pageNum: 9 }, { results: [], totalCount: 3 }), ['self', 'previous']);
});
