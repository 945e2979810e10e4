import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { BrowserSession } from './support/browser-session.ts';
import { expectFault, expectStatus } from './support/expect.ts';
import { own } from './support/setups.ts';
import { type ListDocument, newCluster, newProject } from './support/stage.ts';

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface InspectedDocument {
  readonly background: boolean;
  readonly at: string;
  readonly caller?: { readonly kind: string; readonly name: string };
  readonly detail?: string;
  readonly errorCode?: string;
  readonly method: string;
  readonly operation: string;
  readonly path: string;
  readonly requestId: string;
  readonly status: number;
  readonly version?: string;
  readonly curl: string;
  readonly errorDocumentation?: string;
  readonly operationDocumentation?: string;
  readonly unreadFields: readonly string[];
  readonly unreadParameters: readonly string[];
  readonly request: Message;
  readonly response: Message;
  readonly url: string;
}

interface ArchiveEntry {
  readonly comment: string;
  readonly request: { readonly url: string; readonly queryString: unknown; readonly headers: unknown };
  readonly response: { readonly status: number; readonly statusText: string };
}

/** The version in the requests of the tests. */
const NEWEST_VERSION = '2025-03-12';
const base = '/operator/v1/requests';

own.onOneSetup('SQLite, one instance', 'the request inspector', (setup) => {
  const list = async (query: string) =>
    expectStatus<ListDocument<InspectedDocument>>(await setup.operator.get(`${base}?${query}`), 200);
  const one = async (id: string) =>
    expectStatus<InspectedDocument>(await setup.operator.get(`${base}/${id}`), 200);
  const record = async (recording: string) =>
    assert.deepEqual(expectStatus(await setup.operator.patch(`${base}/settings`, { recording }), 200), {
      recording,
    });

  test('a login link cannot be read from its record', async () => {
    await record('BODIES');
    const headers = { 'x-request-id': 'link-1' };
    const reply = await setup.operator.post('/operator/v1/console/links', undefined, { headers });
    const { url } = expectStatus<{ url: string }>(reply, 201);
    const token = new URL(url).searchParams.get('token') ?? '';
    assert.ok(token.length > 40);
    const kept = await one('link-1');
    assert.match(kept.response.body ?? '', /"url":"[^"]*\*{8}"/);
    assert.ok(!JSON.stringify(kept).includes(token));
    await record('HEADERS');
  });

  test('lists what clients called, with caller, version and error', async () => {
    const project = await newProject(setup);
    expectStatus(await setup.account.get(project, { headers: { 'x-request-id': 'call-1' } }), 200);
    const path = `/api/service/v2${project}`;
    expectFault(await setup.account.get(`${project}/nowhere`), 404, 'RESOURCE_NOT_FOUND', [
      `${path}/nowhere`,
    ]);
    const { results, totalCount } = await list(`pathContains=${project}&caller=${setup.bootstrap.clientId}`);
    assert.equal(totalCount, 2);
    assert.deepEqual(
      results.map((call) => [call.operation, call.path, call.status, call.errorCode, call.version]),
      [
        ['none', `${path}/nowhere`, 404, 'RESOURCE_NOT_FOUND', undefined],
        ['getProject', path, 200, undefined, NEWEST_VERSION],
      ],
    );
    const caller = { id: setup.bootstrap.clientId, kind: 'serviceAccount', name: setup.bootstrap.clientId };
    assert.deepEqual(results[0]?.caller, caller);
    const failed = await list(`pathContains=${project}&minStatus=400`);
    assert.deepEqual(
      failed.results.map(({ status }) => status),
      [404],
    );
    assert.deepEqual((await list(`since=${new Date(Date.now() + 60_000).toISOString()}`)).results, []);
    const detail = await one('call-1');
    assert.equal(detail.url, `${setup.bootstrap.url}${path}`);
    assert.match(detail.request.headers.authorization ?? '', /^Bearer \*+$/);
    assert.equal(detail.response.headers['x-request-id'], 'call-1');
    assert.equal(detail.response.body, undefined);
  });

  test('keeps bodies only when switched on, without their secrets', async () => {
    const project = await newProject(setup);
    const user = (username: string) => ({
      ...{ username, password: 'harbour-at-night-7', databaseName: 'admin' },
      roles: [{ roleName: 'read', databaseName: "sailor's" }],
    });
    const create = async (name: string) =>
      expectStatus(
        await setup.account.post(`${project}/databaseUsers`, user(name), {
          headers: { 'x-request-id': name },
        }),
        201,
      );
    await create('before');
    await record('BODIES');
    await create('after');
    await record('HEADERS');
    assert.equal((await one('before')).request.body, undefined);
    const { request, response, curl } = await one('after');
    assert.deepEqual(JSON.parse(request.body ?? ''), { ...user('after'), password: '********' });
    assert.equal(JSON.parse(response.body ?? '').username, 'after');
    assert.ok(curl.includes('"Authorization: Bearer $TOKEN"'));
    const printed = curl.replace('curl', 'printf "%s\\n"');
    const words = execFileSync('sh', ['-c', printed], { encoding: 'utf8', env: { TOKEN: 't' } }).split('\n');
    assert.ok(words.includes(request.body ?? ''), curl);
    assert.ok(words.includes('Authorization: Bearer t'), curl);
  });

  test('keeps the reason of a failed request and the names without effect, also without bodies', async () => {
    const project = await newProject(setup);
    const send = async (id: string, body: object) =>
      setup.account.post(`${project}/databaseUsers?pretty=true&colour=red`, body, {
        headers: { 'x-request-id': id },
      });
    const user = { username: 'bosun', password: 'harbour-at-night-7', databaseName: 'admin' };
    const roles = [{ roleName: 'read', databaseName: 'ships', collectionName: null }];
    expectStatus(await send('unread', { ...user, roles, awsIAMType: null }), 201);
    const done = await one('unread');
    assert.deepEqual(done.unreadFields, ['roles.0.collectionName', 'awsIAMType']);
    assert.deepEqual(done.unreadParameters, ['colour']);
    assert.equal(done.detail, undefined);
    const reply = await send('refused', { ...user, roles });
    const refused = await one('refused');
    assert.equal(reply.status, 409);
    assert.equal(refused.detail, JSON.parse(reply.text).detail);
    assert.equal(refused.response.body, undefined);
    const page = await setup.operator.get('/api/service/docs');
    for (const address of [refused.errorDocumentation, refused.operationDocumentation]) {
      const { hash, pathname } = new URL(address ?? '');
      assert.equal(pathname, '/api/service/docs');
      assert.ok(page.text.includes(`id="${hash.slice(1)}"`), hash);
    }
  });

  test('exports requests as an HTTP Archive', async () => {
    const project = await newProject(setup);
    const headers = { 'x-request-id': 'archived' };
    expectStatus(await setup.account.get(`${project}?pretty=true`, { headers }), 200);
    const reply = await setup.operator.get(`${base}/archive?pathContains=${project}&method=GET`);
    const { log } = expectStatus<{ log: { version: string; entries: readonly ArchiveEntry[] } }>(reply, 200);
    assert.equal(log.version, '1.2');
    const [entry, ...others] = log.entries;
    assert.deepEqual(others, []);
    assert.equal(entry?.comment, 'archived');
    assert.equal(entry.request.url, `${setup.bootstrap.url}/api/service/v2${project}?pretty=true`);
    assert.deepEqual(entry.request.queryString, [{ name: 'pretty', value: 'true' }]);
    assert.deepEqual([entry.response.status, entry.response.statusText], [200, 'OK']);
    assert.match(JSON.stringify(entry.request.headers), /"authorization","value":"Bearer \*+"/);
  });

  test('lists requests that pages of the console send to show data only if that is asked for', async () => {
    const project = await newProject(setup);
    const browser = new BrowserSession(setup);
    await browser.openLink();
    const { csrfToken } = await browser.read();
    const path = `/api/service/v2${project}`;
    const cluster = await newCluster(setup, project, 'quay');
    expectStatus(await setup.operator.delete(base), 204);
    const send = (id: string, method: string, body?: object, more = {}) =>
      browser.send(method, method === 'GET' ? path : `${path}/accessList`, body, {
        'x-request-id': id,
        ...more,
      });
    expectStatus(await send('shown', 'GET'), 200);
    // An event stream cannot send a CSRF token.
    browser.csrfToken = undefined;
    expectStatus(await send('streamed', 'GET'), 200);
    browser.csrfToken = csrfToken;
    expectStatus(await send('pressed', 'POST', [{ ipAddress: '192.0.2.1' }]), 201);
    const purpose = { 'x-purpose': 'background' };
    const command = (id: string, body: object) =>
      browser.send(
        'POST',
        `/api/service/v2${cluster}/commands`,
        { database: 'harbour', command: body },
        {
          'x-request-id': id,
          ...purpose,
        },
      );
    expectStatus(await command('repeated', { find: 'ships' }), 200);
    expectStatus(await command('stored', { insert: 'ships', documents: [{ _id: 1 }] }), 200);
    expectStatus(await send('hidden', 'POST', [{ ipAddress: '192.0.2.2' }], purpose), 201);
    const client = { headers: { ...purpose, 'x-csrf-token': 'any', 'x-request-id': 'client' } };
    expectStatus(await setup.account.get(project, client), 200);
    const ids = async (query: string) =>
      (await list(`pathContains=${project}${query}`)).results.map(({ requestId, background }) =>
        background ? `(${requestId})` : requestId,
      );
    assert.deepEqual(await ids(''), ['client', 'hidden', 'stored', 'pressed']);
    assert.deepEqual(await ids('&background=true'), [
      'client',
      'hidden',
      'stored',
      '(repeated)',
      'pressed',
      '(streamed)',
      '(shown)',
    ]);
    assert.equal((await one('shown')).requestId, 'shown');
  });

  test('keeps nothing while it is switched off, and deletes its records on request', async () => {
    await record('NOTHING');
    await setup.owner.get('/orgs', { headers: { 'x-request-id': 'unseen' } });
    expectFault(await setup.operator.get(`${base}/unseen`), 404, 'REQUEST_NOT_FOUND', ['unseen']);
    await record('HEADERS');
    expectStatus(await setup.operator.delete(base), 204);
    assert.deepEqual((await list('')).results, []);
  });

  test('is reserved to the operator', async () => {
    for (const path of [base, `${base}/settings`, `${base}/a`])
      expectFault(await setup.owner.get(path), 401, 'UNAUTHORIZED');
    expectFault(await setup.owner.patch(`${base}/settings`, { recording: 'BODIES' }), 401, 'UNAUTHORIZED');
  });
});
