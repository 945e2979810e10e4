import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus } from './support/expect.ts';
import { onOneSetup, type Setup } from './support/setups.ts';
import {
  idIn,
  type Link,
  type ListDocument,
  newOrganization,
  newProject,
  type ProjectDocument,
  withoutOrigins,
} from './support/stage.ts';

const pathOf = ({ href }: Link) => {
  const { pathname, search } = new URL(href);
  return pathname + search;
};

/** Creates a project with five access list entries. */
async function fiveEntries(setup: Setup): Promise<string> {
  const project = await newProject(setup);
  const entries = [1, 2, 3, 4, 5].map((last) => ({ ipAddress: `192.0.2.${last}` }));
  expectStatus(await setup.owner.post(`${project}/accessList`, entries), 201);
  return `${project}/accessList`;
}

const page = async (setup: Setup, path: string) =>
  expectStatus<ListDocument<{ ipAddress: string }>>(await setup.owner.get(path), 200);

onOneSetup('SQLite, one instance', 'form of responses', (setup) => {
  answers(setup);
  lists(setup);
  paths(setup);
});

function answers(setup: Setup): void {
  test('keys are in alphabetical order at every depth, dates in UTC to the second', async () => {
    const reply = await setup.owner.get(`/groups/${setup.bootstrap.groupId}`);
    expectStatus(reply, 200);
    JSON.parse(reply.text, (_, value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      assert.deepEqual(Object.keys(value), Object.keys(value).toSorted());
      return value;
    });
    assert.match(reply.text, /"created":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/);
  });

  test('an envelope contains the status and the response', async () => {
    const project = await newProject(setup);
    const plain = await setup.owner.get(project);
    const wrapped = expectStatus(await setup.owner.get(`${project}?envelope=true`), 200);
    assert.deepEqual(Object.keys(wrapped).toSorted(), ['content', 'status']);
    assert.deepEqual(withoutOrigins(wrapped.content), withoutOrigins(plain.json()));
    assert.equal(wrapped.status, 200);
    const list = expectStatus(await setup.owner.get(`${project}/databaseUsers?envelope=true`), 200);
    assert.deepEqual([list.results, list.status, list.totalCount], [[], 200, 0]);
    const made = { name: `${idIn(project)}`, orgId: setup.bootstrap.orgId };
    const created = expectStatus(await setup.owner.post('/groups?envelope=true', made), 200);
    assert.equal((created.content as ProjectDocument).name, made.name);
    const absent = await setup.owner.get(`${project}/clusters/none?envelope=true`);
    assert.equal(absent.status, 404);
    const { status, content } = absent.json<{ status: number; content: { errorCode: string } }>();
    assert.deepEqual([status, content.errorCode], [404, 'CLUSTER_NOT_FOUND']);
  });

  test('a pretty response has the same content on many lines', async () => {
    const project = await newProject(setup);
    const plain = await setup.owner.get(project);
    const pretty = await setup.owner.get(`${project}?pretty=true`);
    assert.ok(pretty.text.startsWith('{\n  "clusterCount" : 0,\n'), pretty.text);
    assert.deepEqual(withoutOrigins(pretty.json()), withoutOrigins(plain.json()));
    const error = await setup.owner.get(`${project}/clusters/none?pretty=true`);
    assert.match(error.text, /\n {2}"errorCode" : "CLUSTER_NOT_FOUND",\n/);
    assert.ok(!plain.text.includes('\n'));
  });
}

function lists(setup: Setup): void {
  test('a list is read page by page through its links', async () => {
    const list = await fiveEntries(setup);
    const first = await page(setup, `${list}?itemsPerPage=2`);
    assert.deepEqual(
      first.links.map(({ rel }) => rel),
      ['self', 'next'],
    );
    const relation = ({ links }: ListDocument<unknown>, name: string) => {
      const link = links.find(({ rel }) => rel === name);
      assert.ok(link, `${name} is among ${JSON.stringify(links)}`);
      return pathOf(link);
    };
    const seen = [];
    for (
      let at: ListDocument<{ ipAddress: string }> = first;
      ;
      at = await page(setup, relation(at, 'next'))
    ) {
      seen.push(...at.results.map(({ ipAddress }) => ipAddress));
      assert.equal(at.totalCount, 5);
      if (!at.links.some(({ rel }) => rel === 'next')) break;
    }
    assert.deepEqual(seen, ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5']);
    const second = await page(setup, relation(first, 'next'));
    assert.deepEqual(
      withoutOrigins((await page(setup, relation(second, 'previous'))).results),
      withoutOrigins(first.results),
    );
    assert.deepEqual(
      withoutOrigins((await page(setup, relation(second, 'self'))).results),
      withoutOrigins(second.results),
    );
    const byNumber = await page(setup, `${list}?itemsPerPage=2&pageNum=3`);
    assert.deepEqual(
      byNumber.results.map(({ ipAddress }) => ipAddress),
      ['192.0.2.5'],
    );
    const beyond = await page(setup, `${list}?itemsPerPage=2&pageNum=9`);
    const relations = beyond.links.map(({ rel }) => rel);
    assert.deepEqual([beyond.results, beyond.totalCount, relations], [[], 5, ['self', 'previous']]);
  });

  test('a list can omit its count, and keeps query parameters in its links', async () => {
    const list = await fiveEntries(setup);
    const { links, ...rest } = await page(setup, `${list}?itemsPerPage=2&includeCount=false`);
    assert.ok(!('totalCount' in rest));
    for (const link of links) assert.match(link.href, /includeCount=false/);
    const [self] = (await page(setup, list)).links;
    assert.match(self?.href ?? '', /\/accessList\?pageNum=1&itemsPerPage=100$/);
  });

  test('rejects invalid paging and form parameters', async () => {
    const list = await fiveEntries(setup);
    for (const query of [
      'itemsPerPage=0',
      'itemsPerPage=501',
      'itemsPerPage=many',
      'itemsPerPage=',
      'itemsPerPage=1&itemsPerPage=2',
      'pageNum=0',
      'pageNum=-1',
      'pageNum=1.5',
      'includeCount=yes',
      'envelope=1',
      'pretty=TRUE',
    ]) {
      const reply = await setup.owner.get(`${list}?${query}`);
      expectFault(reply, 400, 'INVALID_QUERY_PARAMETER', [query.slice(0, query.indexOf('='))]);
    }
    assert.equal((await page(setup, `${list}?itemsPerPage=500&unknown=1`)).totalCount, 5);
  });

  test("links use the caller's address and path family", async () => {
    for (const family of ['v2', 'v1.0']) {
      const base = `/api/service/${family}`;
      const root = await setup.owner.get(base);
      const links = expectStatus<{ links: Link[] }>(root, 200).links;
      const relations = links.map(({ rel }) => rel.replace(/^https:.*\//, ''));
      // These operations do not exist on the legacy path.
      const younger = family === 'v2' ? ['controlPlaneIPAddresses'] : [];
      const older = ['eventTypes', 'groups', 'orgs'];
      assert.deepEqual(relations, [
        'self',
        'alertMatcherFieldNames',
        'apiKeys',
        'clusters',
        ...younger,
        ...older,
      ]);
      for (const link of links) {
        assert.ok(link.href.startsWith(`${new URL(root.url).origin}${base}`), link.href);
        expectStatus(await setup.owner.get(pathOf(link)), 200);
      }
    }
    const [connection] = setup.connections;
    const { port } = new URL(connection?.url ?? '');
    const named = await setup.owner.get('/', { headers: { host: `localhost:${port}` } });
    const sameInstance = new URL(named.url).port === port;
    if (sameInstance) assert.match(named.text, new RegExp(`https://localhost:${port}/api/service/v2`));
    const foreign = await setup.owner.get('/', { headers: { host: 'elsewhere.example' } });
    assert.ok(!foreign.text.includes('elsewhere.example'));
  });
}

function paths(setup: Setup): void {
  test('an entity in a list links only to itself', async () => {
    await newProject(setup);
    const { results } = expectStatus<ListDocument<{ links: Link[] }>>(await setup.owner.get('/groups'), 200);
    for (const { links } of results) {
      assert.deepEqual(
        links.map(({ rel }) => rel),
        ['self'],
      );
    }
  });

  test('HEAD returns the headers of GET', async () => {
    const project = await newProject(setup);
    for (const path of [project, `${project}/clusters`, `${project}/clusters/none`, '/nowhere']) {
      const [get, head] = [await setup.owner.get(path), await setup.owner.send('HEAD', path)];
      assert.deepEqual([head.status, head.text], [get.status, '']);
      for (const name of ['content-type', 'x-error-code', 'x-content-type-options']) {
        assert.equal(head.headers.get(name), get.headers.get(name), name);
      }
    }
  });

  test('an unsupported method is rejected with the supported ones', async () => {
    const project = await newProject(setup);
    for (const [method, path, allowed] of [
      ['PUT', project, 'DELETE, GET, HEAD, PATCH'],
      ['POST', project, 'DELETE, GET, HEAD, PATCH'],
      ['DELETE', '/groups', 'GET, HEAD, POST'],
      ['PATCH', `${project}/accessList/192.0.2.1`, 'DELETE, GET, HEAD'],
      ['POST', '/', 'GET, HEAD'],
    ] as const) {
      const reply = await setup.owner.send(method, path, {});
      expectFault(reply, 405, 'UNEXPECTED_ERROR');
      const allow = reply.headers.get('allow')?.split(', ').toSorted().join(', ');
      assert.equal(allow, allowed, `${method} ${path}`);
    }
  });

  test('an unknown path is reported with its name', async () => {
    for (const path of ['/nowhere', `/groups/${setup.bootstrap.groupId}/ships`, '/groups/byName']) {
      const reply = await setup.owner.get(`${path}?secret=1`);
      expectFault(reply, 404, path.endsWith('byName') ? 'INVALID_GROUP_ID' : 'RESOURCE_NOT_FOUND', [
        path.endsWith('byName') ? 'byName' : `/api/service/v2${path}`,
      ]);
    }
    const outside = await setup.owner.get('/api/other');
    expectFault(outside, 404, 'RESOURCE_NOT_FOUND', ['/api/other']);
  });

  test('every response has the security headers for browsers', async () => {
    const { key } = await newOrganization(setup, 'ORG_MEMBER');
    for (const reply of [await key.get('/'), await key.get('/nowhere'), await key.delete('/')]) {
      assert.match(reply.headers.get('strict-transport-security') ?? '', /^max-age=\d+/);
      assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
      assert.equal(reply.headers.get('x-frame-options'), 'DENY');
      assert.match(reply.headers.get('x-service-version') ?? '', /^gitHash=[0-9a-f]{40}; versionString=/);
    }
  });
}
