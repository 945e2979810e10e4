import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { type PageRequest, pageOf } from '../store/page.ts';
import { entity } from './entity.ts';
import { GROUP, operation, PUBLIC_URL, testApi, variant } from './testing.ts';

const Ship = entity(Type.Object({ name: Type.String() }), {
  name: 'ship',
  self: 'getShip',
  params: ({ name }) => ({ shipName: name }),
});

const getShip = operation({
  id: 'getShip',
  summary: 'Answers a ship.',
  tag: 'Ships',
  method: 'GET',
  path: '/groups/{groupId}/ships/{shipName}',
  access: 'Project Read Only',
  reply: Ship,
  status: 200,
  handler: async ({ params }) => ({ name: params.shipName }),
});

const fleet = ['ark', 'bark', 'cog'].map((name) => ({ name }));

/** Returns a page as the store returns it: the rows after the key `after`, if given. */
function pageAfter({ after, itemsPerPage, includeCount }: PageRequest) {
  const rest = fleet.filter(({ name }) => after === undefined || name > after);
  const results = rest.slice(0, itemsPerPage);
  return {
    results,
    ...(includeCount ? { totalCount: fleet.length } : {}),
    next: rest.length > itemsPerPage ? results.at(-1)?.name : undefined,
  };
}

const listShips = operation({
  id: 'listShips',
  summary: 'Lists ships.',
  tag: 'Ships',
  method: 'GET',
  path: '/groups/{groupId}/ships',
  access: 'Project Read Only',
  reply: Ship,
  list: 'page',
  status: 200,
  handler: async ({ page }) => pageAfter(page),
});

const listNames = operation({
  id: 'listNames',
  summary: 'Lists names.',
  tag: 'Ships',
  method: 'GET',
  path: '/groups/{groupId}/names',
  access: 'Project Read Only',
  reply: Type.String(),
  list: 'array',
  status: 200,
  handler: async () => fleet.map(({ name }) => name),
});

const path = `/api/service/v2/groups/${GROUP}/ships`;
const base = PUBLIC_URL + path;
const self = (name: string) => ({ links: [{ href: `${base}/${name}`, rel: 'self' }], name });

test('a list is a wrapper with links, results and their count, in this order', async (t) => {
  const { send } = await testApi(t, [getShip, listShips]);
  const answer = await send({ url: path });
  assert.equal(
    answer.body,
    JSON.stringify({
      links: [{ href: `${base}?pageNum=1&itemsPerPage=100`, rel: 'self' }],
      results: [self('ark'), self('bark'), self('cog')],
      totalCount: 3,
    }),
  );
});

interface ShipPage {
  results: { name: string }[];
  links: { href: string; rel: string }[];
  totalCount?: number;
}

test('following `next` reaches every page by key', async (t) => {
  const { send } = await testApi(t, [getShip, listShips]);
  const pages: string[][] = [];
  let url: string | undefined = `${path}?itemsPerPage=1&includeCount=false`;
  while (url !== undefined) {
    const page: ShipPage = (await send({ url })).json();
    assert.equal(page.totalCount, undefined);
    pages.push([...page.results.map(({ name }) => name), ...page.links.map(({ rel }) => rel)]);
    const next = page.links.find(({ rel }) => rel === 'next');
    if (next) assert.match(next.href, /&after=(ark|bark)$/);
    url = next?.href.slice(PUBLIC_URL.length);
  }
  assert.deepEqual(pages, [
    ['ark', 'self', 'next'],
    ['bark', 'self', 'previous', 'next'],
    ['cog', 'self', 'previous'],
  ]);
});

test('a page beyond the end is empty and links to the previous page', async (t) => {
  const { send } = await testApi(t, [
    variant(listShips, { handler: async ({ page }) => pageOf(fleet, page) }),
  ]);
  const { results, links, totalCount } = (await send({ url: `${path}?pageNum=7&itemsPerPage=2` })).json();
  assert.deepEqual([results, totalCount], [[], 3]);
  assert.deepEqual(
    links.map(({ rel }: { rel: string }) => rel),
    ['self', 'previous'],
  );
});

test('an empty list has status 200', async (t) => {
  const { send } = await testApi(t, [variant(listShips, { handler: async ({ page }) => pageOf([], page) })]);
  const answer = await send({ url: path });
  assert.deepEqual([answer.statusCode, answer.json().results, answer.json().totalCount], [200, [], 0]);
});

test('page numbers and sizes out of bounds are reported by parameter', async (t) => {
  const { send } = await testApi(t, [listShips]);
  const bad = {
    itemsPerPage: ['0', '501', 'all', '-1', ''],
    pageNum: ['0', '-1', 'one', '1.5', '99999999999999999999'],
    includeCount: ['no', '0'],
  };
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values) {
      const answer = (await send({ url: `${path}?${name}=${value}` })).json();
      assert.deepEqual(
        [answer.error, answer.errorCode, answer.parameters],
        [400, 'INVALID_QUERY_PARAMETER', [name]],
        `${name}=${value}`,
      );
    }
  }
  assert.equal((await send({ url: `${path}?itemsPerPage=500&pageNum=1000000` })).statusCode, 200);
});

test('an envelope adds the status to a list, and wraps an array or an entity', async (t) => {
  const { send } = await testApi(t, [getShip, listShips, listNames]);
  const list = (await send({ url: `${path}?envelope=true&itemsPerPage=500` })).json();
  assert.deepEqual(Object.keys(list), ['links', 'results', 'status', 'totalCount']);
  assert.equal(list.status, 200);
  assert.equal(list.links[0].href, `${base}?envelope=true&pageNum=1&itemsPerPage=500`);
  const names = await send({ url: `/api/service/v2/groups/${GROUP}/names?envelope=true` });
  assert.equal(names.body, '{"content":["ark","bark","cog"],"status":200}');
  const ship = await send({ url: `${path}/ark?envelope=true` });
  assert.deepEqual(ship.json(), { content: self('ark'), status: 200 });
});

test('an array is returned as it is', async (t) => {
  const { send } = await testApi(t, [listNames]);
  assert.equal((await send({ url: `/api/service/v2/groups/${GROUP}/names` })).body, '["ark","bark","cog"]');
});

test('pretty printing changes only whitespace', async (t) => {
  const { send } = await testApi(t, [getShip, listShips]);
  const pretty = await send({ url: `${path}?pretty=true` });
  assert.match(pretty.body, /^\{\n {2}"links" : \[ \{\n {4}"href" : "/);
  assert.deepEqual(pretty.json().results, [self('ark'), self('bark'), self('cog')]);
  const error = await send({ url: `${path}?pretty=true&itemsPerPage=0` });
  assert.match(error.body, /^\{\n {2}"badRequestDetail" : \{\n {4}"fields" : \[ \{\n {6}"description" : "/);
});
