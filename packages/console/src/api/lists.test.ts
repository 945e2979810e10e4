import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type List, readAll } from './lists.ts';

/**
 * Returns a function that responds like a service with another host name than the page. Also returns the list of the
 * requested paths.
 */
function serviceWith(pages: Readonly<Record<string, List<string>>>) {
  const asked: string[] = [];
  const read = async (path: string) => {
    asked.push(path);
    const page = pages[path];
    assert(page, `the path ${path} was not expected`);
    return page;
  };
  return { asked, read };
}

const next = (query: string) => [{ rel: 'next', href: `https://inner:8443/api/service/v2/groups?${query}` }];

test('reads a list to its last page, with the filter of the first', async () => {
  const service = serviceWith({
    '/groups?name=a&itemsPerPage=500': { results: ['ark'], links: next('name=a&itemsPerPage=500&after=ark') },
    '/groups?name=a&itemsPerPage=500&after=ark': { results: ['arm'], links: [] },
  });
  assert.deepEqual(await readAll(service.read, '/groups?name=a'), ['ark', 'arm']);
  assert.equal(service.asked.length, 2);
});

test('reads a list without pages once', async () => {
  const service = serviceWith({ '/roles?itemsPerPage=500': ['reader', 'writer'] });
  assert.deepEqual(await readAll(service.read, '/roles'), ['reader', 'writer']);
  assert.equal(service.asked.length, 1);
});
