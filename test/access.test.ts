import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anonymous, type Client, digest } from './support/client.ts';
import { type Challenge, challengeIn, digestHeader, type KeyPair } from './support/digest.ts';
import { expectFault, expectStatus, until, withinMinute } from './support/expect.ts';
import type { Reply } from './support/http.ts';
import { onEachSetup } from './support/setups.ts';
import {
  idIn,
  type ListDocument,
  newOrganization,
  newProject,
  type Organization,
  type ProjectDocument,
  uniqueName,
} from './support/stage.ts';

const ABSENT = 'f'.repeat(24);

/** Expects a 401 with a Digest challenge. Its body has a special form. */
function expectChallenge(reply: Reply): { md5: Challenge; sha256: Challenge } {
  const { detail, ...rest } = expectStatus(reply, 401);
  assert.deepEqual(rest, {
    error: 401,
    errorCode: 'UNEXPECTED_ERROR',
    parameters: [],
    reason: 'Unauthorized',
  });
  assert.equal(typeof detail, 'string');
  const [md5, sha256] = [challengeIn(reply.headers, 'MD5'), challengeIn(reply.headers, 'SHA-256')];
  assert.ok(md5 && sha256);
  for (const { realm, qop } of [md5, sha256])
    assert.deepEqual([realm, qop], ['Project Administration API', 'auth']);
  assert.match(
    reply.headers.get('www-authenticate') ?? '',
    /^Digest .*algorithm=MD5.*Digest .*algorithm=SHA-256/,
  );
  return { md5, sha256 };
}

onEachSetup('Digest', (setup) => {
  const stranger = () => setup.clientWith(anonymous);
  const send = (authorization: string, target: string, method = 'GET') => {
    const path = target.startsWith('/api') ? target : `/api/service/v2${target}`;
    return stranger().send(method, path, undefined, { headers: { authorization } });
  };

  test('a request without credentials gets a challenge on every path', async () => {
    for (const path of ['/', '/groups', `/groups/${ABSENT}`, '/nowhere', '/api/service/v1.0/groups']) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        expectChallenge(await stranger().send(method, path, method === 'POST' ? '{' : undefined));
      }
    }
  });

  test('both algorithms authenticate the owner, and MD5 is the default', async () => {
    for (const algorithm of ['MD5', 'SHA-256'] as const) {
      const client = setup.clientWith(digest(setup.bootstrap, algorithm));
      for (let count = 0; count < 4; count++) expectStatus(await client.get('/groups?pretty=true'), 200);
    }
    const { md5 } = expectChallenge(await stranger().get('/groups'));
    const facts = { method: 'GET', target: '/api/service/v2/groups', count: 1 };
    const header = digestHeader(setup.bootstrap, md5, facts).replace(', algorithm=MD5', '');
    expectStatus(await send(header, '/groups'), 200);
  });

  test('a captured Digest response cannot be replayed at any instance', async () => {
    const { md5 } = expectChallenge(await stranger().get('/groups'));
    const facts = { method: 'GET', target: '/api/service/v2/groups', count: 1 };
    const header = digestHeader(setup.bootstrap, md5, facts);
    expectStatus(await send(header, '/groups'), 200);
    for (let attempt = 0; attempt < 4; attempt++) {
      const { md5: again } = expectChallenge(await send(header, '/groups'));
      assert.equal(again.stale, true);
      assert.notEqual(again.nonce, md5.nonce);
    }
    // Credentials that were computed for one request are invalid for another.
    const fresh = digestHeader(setup.bootstrap, md5, { ...facts, count: 2 });
    expectChallenge(await send(fresh, '/orgs'));
    expectChallenge(await send(fresh, '/groups', 'DELETE'));
    expectStatus(await send(fresh, '/groups'), 200);
  });

  test('counts of one nonce may arrive in any order, as from concurrent connections', async () => {
    const { md5 } = expectChallenge(await stranger().get('/groups'));
    const header = (count: number) =>
      digestHeader(setup.bootstrap, md5, { method: 'GET', target: '/api/service/v2/groups', count });
    for (const count of [5, 2, 9, 1]) expectStatus(await send(header(count), '/groups'), 200);
    const many = await Promise.all([10, 11, 12, 13, 14, 15].map((count) => send(header(count), '/groups')));
    assert.ok(many.every(({ status }) => status === 200));
    for (const count of [2, 9, 12]) expectChallenge(await send(header(count), '/groups'));
  });

  test('wrong and unknown keys get the same response', async () => {
    const { md5 } = expectChallenge(await stranger().get('/groups'));
    const answerTo = async (pair: KeyPair, count: number) => {
      const header = digestHeader(pair, md5, { method: 'GET', target: '/api/service/v2/groups', count });
      const reply = await send(header, '/groups');
      expectChallenge(reply);
      const own = ['date', 'www-authenticate', 'x-request-id'];
      const headers = [...reply.headers].filter(([name]) => !own.includes(name));
      return { text: reply.text, headers };
    };
    const { key: _, pair } = await newOrganization(setup, 'ORG_MEMBER');
    const wrong = await answerTo({ ...pair, privateKey: setup.bootstrap.privateKey }, 1);
    const unknown = await answerTo({ ...pair, publicKey: 'aaaaaaaa' }, 2);
    assert.deepEqual(wrong, unknown);
  });

  test('after five failed authentications a key is blocked, even with the right credentials', async () => {
    const [refused, withRightKey] = await withinMinute(async () => {
      const { pair, key } = await newOrganization(setup, 'ORG_MEMBER');
      expectStatus(await key.get('/'), 200);
      const wrong = { ...pair, privateKey: setup.bootstrap.privateKey };
      for (let attempt = 0; attempt < 5; attempt++) {
        expectChallenge(await setup.clientWith(digest(wrong)).get('/'));
      }
      const sixth = await setup.clientWith(digest(wrong)).get('/');
      return [sixth, await setup.clientWith(digest(pair)).get('/')] as const;
    });
    expectFault(refused, 429, 'RATE_LIMITED', refused.json<{ parameters: unknown[] }>().parameters);
    assert.ok(Number(refused.headers.get('retry-after')) <= 60);
    assert.equal(withRightKey.status, 429);
    expectStatus(await setup.owner.get('/'), 200);
  });

  test('a malformed Digest response gets a challenge', async () => {
    const { md5 } = expectChallenge(await stranger().get('/'));
    const good = digestHeader(setup.bootstrap, md5, { method: 'GET', target: '/api/service/v2', count: 1 });
    for (const header of [
      'Digest',
      'Basic YTpi',
      good.replace('qop=auth', 'qop=auth-int'),
      good.replace(', qop=auth', ''),
      good.replace(/nc=\d+/, 'nc=x'),
      good.replace(md5.nonce, md5.nonce.toLowerCase()),
      good.replace(/realm="[^"]+"/, 'realm="other"'),
      `${good}, username="other"`,
    ]) {
      expectChallenge(await send(header, '/api/service/v2'));
    }
    expectStatus(await send(good, '/api/service/v2'), 200);
  });
});

/** What each role may do on a new organization; `true` means permitted. */
const rights: readonly [
  name: string,
  call: (of: Organization) => Promise<Reply>,
  may: Record<string, true | string>,
][] = [
  ['read the organization', ({ key, id }) => key.get(`/orgs/${id}`), {}],
  ['list its projects', ({ key, id }) => key.get(`/orgs/${id}/groups`), {}],
  ['read its events', ({ key, id }) => key.get(`/orgs/${id}/events`), {}],
  ['begin at the root', ({ key }) => key.get('/'), {}],
  ['list types of events', ({ key }) => key.get('/eventTypes'), {}],
  [
    'make an organization',
    ({ key }) => key.post('/orgs', { name: uniqueName('more'), apiKey: { desc: 'd', roles: ['ORG_OWNER'] } }),
    {
      ORG_READ_ONLY: 'API_KEY_CANNOT_CREATE_ORG',
      ORG_MEMBER: 'API_KEY_CANNOT_CREATE_ORG',
      ORG_GROUP_CREATOR: 'API_KEY_CANNOT_CREATE_ORG',
      ORG_BILLING_ADMIN: 'API_KEY_CANNOT_CREATE_ORG',
    },
  ],
  [
    'make a project',
    ({ key, id }) => key.post('/groups', { name: uniqueName('mine'), orgId: id }),
    {
      ORG_READ_ONLY: 'NOT_ORG_GROUP_CREATOR',
      ORG_MEMBER: 'NOT_ORG_GROUP_CREATOR',
      ORG_BILLING_ADMIN: 'NOT_ORG_GROUP_CREATOR',
    },
  ],
  [
    'rename the organization',
    ({ key, id }) => key.patch(`/orgs/${id}`, { name: uniqueName('renamed') }),
    {
      ORG_READ_ONLY: 'NOT_ORG_OWNER',
      ORG_MEMBER: 'NOT_ORG_OWNER',
      ORG_GROUP_CREATOR: 'NOT_ORG_OWNER',
      ORG_BILLING_ADMIN: 'NOT_ORG_OWNER',
    },
  ],
];

onEachSetup('roles', (setup) => {
  for (const role of ['ORG_OWNER', 'ORG_GROUP_CREATOR', 'ORG_READ_ONLY', 'ORG_MEMBER', 'ORG_BILLING_ADMIN']) {
    test(`what ${role} may do in its organization`, async () => {
      const organization = await newOrganization(setup, role);
      for (const [name, call, refusals] of rights) {
        const reply = await call(organization);
        const code = refusals[role] ?? true;
        if (code === true) assert.ok(reply.status < 300, `${name}: ${reply.status} ${reply.text}`);
        else assert.equal(reply.json().errorCode, code, name);
      }
    });
  }

  test('callers cannot reach another organization', async () => {
    const { key } = await newOrganization(setup, 'ORG_OWNER');
    const { orgId, groupId } = setup.bootstrap;
    const project = `/groups/${groupId}`;
    for (const [method, path, body] of [
      ['GET', project],
      ['PATCH', project, {}],
      ['DELETE', project],
      ['GET', `${project}/clusters`],
      ['POST', `${project}/clusters`, {}],
      ['GET', `${project}/clusters/none`],
      ['POST', `${project}/databaseUsers`, {}],
      ['POST', `${project}/accessList`, []],
      ['GET', `${project}/events`],
    ] as const) {
      expectFault(await key.send(method, path, body), 401, 'USER_UNAUTHORIZED');
    }
    for (const path of ['', '/groups', '/events']) {
      expectFault(await key.get(`/orgs/${orgId}${path}`), 401, 'USER_CANNOT_ACCESS_ORG');
    }
    expectFault(await key.post('/groups', { name: 'x', orgId }), 401, 'NOT_ORG_GROUP_CREATOR', [orgId]);
    expectFault(await key.get('/groups/byName/First%20project'), 404, 'GROUP_NAME_NOT_FOUND', [
      'First project',
    ]);
    assert.equal(expectStatus<ListDocument>(await key.get('/groups'), 200).totalCount, 0);
    // A project that does not exist and a project without access cause different errors.
    expectFault(await key.get(`/groups/${ABSENT}`), 404, 'GROUP_NOT_FOUND', [ABSENT]);
  });

  test('the creator of a project owns it, and nothing else', async () => {
    const { key, id } = await newOrganization(setup, 'ORG_GROUP_CREATOR');
    const made = await key.post('/groups', { name: uniqueName('own'), orgId: id });
    const project = `/groups/${expectStatus<ProjectDocument>(made, 200).id}`;
    await seen(key, project);
    expectStatus(await key.post(`${project}/accessList`, [{ ipAddress: '192.0.2.1' }]), 201);
    expectFault(await key.get(`${project}/clusters/none`), 404, 'CLUSTER_NOT_FOUND', ['none', idIn(project)]);
    const { results } = expectStatus<ListDocument<ProjectDocument>>(await key.get('/groups'), 200);
    assert.deepEqual(
      results.map((one) => `/groups/${one.id}`),
      [project],
    );
    expectFault(await key.get(await newProject(setup)), 401, 'USER_UNAUTHORIZED');
    expectStatus(await key.delete(project), 204);
  });

  test('the root resource returns the caller and its roles', async () => {
    const { key, keyId, id, pair } = await newOrganization(setup, 'ORG_MEMBER', 'ORG_GROUP_CREATOR');
    const root = expectStatus(await key.get('/'), 200);
    const roles = ['ORG_GROUP_CREATOR', 'ORG_MEMBER'].map((roleName) => ({ orgId: id, roleName }));
    const { roles: told, ...apiKey } = root.apiKey as { roles: { roleName: string }[] };
    assert.deepEqual(apiKey, { accessList: [], id: keyId, publicKey: pair.publicKey });
    assert.deepEqual(
      told.toSorted((a, b) => (a.roleName < b.roleName ? -1 : 1)),
      roles,
    );
    assert.deepEqual([root.appName, root.throttling], ['Portolan', false]);
    assert.match(String(root.build), /^[0-9a-f]{40}$/);
    const account = expectStatus(await setup.account.get('/'), 200).serviceAccount;
    const { clientId, orgId } = setup.bootstrap;
    assert.deepEqual(account, { clientId, roles: [{ orgId, roleName: 'ORG_OWNER' }] });
  });
});

/** Reads until both instances permit the request. Another instance may need up to a second to notice the new role. */
async function seen(client: Client, path: string): Promise<void> {
  const both = async () => [(await client.get(path)).status, (await client.get(path)).status];
  await until(`${path} seen by every instance`, both, (statuses) =>
    statuses.every((status) => status === 200),
  );
}
