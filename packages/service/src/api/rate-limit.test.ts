import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorBody, GROUP, getThing, ORG, parameters, testApi, variant } from './testing.ts';

const path = `/api/service/v2/groups/${GROUP}/thing`;
const limited = variant(getThing, { rateLimited: true });

test('a project may make a hundred requests per minute, over all callers and operations', async (t) => {
  const other = variant(limited, { id: 'other', path: '/groups/{groupId}/other' });
  const { send, machine } = await testApi(t, [limited, other]);
  machine.advance(15_000);
  for (let left = 99; left >= 0; left--) {
    const answer = await send({
      url: path,
      headers: { authorization: left % 2 ? 'Bearer reader' : 'Bearer owner' },
    });
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['ratelimit-limit'], '100');
    assert.equal(answer.headers['ratelimit-remaining'], String(left));
  }
  const url = `/api/service/v2/groups/${GROUP}/other`;
  const answer = await send({ url: `${url}?pretty=false` });
  assert.deepEqual(
    answer.json(),
    errorBody(
      429,
      'RATE_LIMITED',
      [url, 100, 1],
      `Resource ${url} is limited to 100 requests every 1 minutes.`,
      'Too Many Requests',
    ),
  );
  assert.equal(answer.headers['retry-after'], '45');
  assert.equal(answer.headers['ratelimit-remaining'], '0');
  machine.advance(45_000);
  assert.equal((await send({ url })).headers['ratelimit-remaining'], '99');
});

test('a failed request counts, one rejected earlier does not', async (t) => {
  const { send } = await testApi(t, [limited]);
  await send({ url: path, headers: { authorization: 'Bearer stranger' } });
  await send({ url: `${path}?pretty=7` });
  assert.equal((await send({ url: path })).headers['ratelimit-remaining'], '98');
});

test('each project is counted separately', async (t) => {
  const another = '5f00000000000000000000cc';
  const { groupId } = parameters;
  assert.ok(groupId?.scope);
  const scope = {
    ...groupId.scope,
    load: async (_: unknown, id: string) => ({ kind: 'group', id, orgId: ORG }) as const,
  };
  const { send } = await testApi(t, [limited], {
    parameters: { groupId: { ...groupId, scope } },
    access: {
      authenticate: async () => ({
        kind: 'apiKey',
        id: 'i',
        name: 'n',
        orgId: ORG,
        grants: [{ scope: 'org', id: ORG, role: 'ORG_OWNER' }],
        addresses: [],
        listRequired: false,
      }),
      authenticateOperator: async () => {},
      recordUse() {},
      recordRequest() {},
    },
  });
  await send({ url: path });
  const answer = await send({ url: path.replace(GROUP, another) });
  assert.equal(answer.headers['ratelimit-remaining'], '99');
});

test('operations and tags can be limited by a setting', async (t) => {
  const plain = variant(getThing, { id: 'plain', path: '/groups/{groupId}/plain' });
  const tagged = variant(getThing, { id: 'tagged', tag: 'Logs', path: '/groups/{groupId}/tagged' });
  const { send } = await testApi(t, [getThing, plain, tagged], { rateLimited: ['getThing', 'Logs'] });
  const limit = async (url: string) => (await send({ url })).headers['ratelimit-limit'];
  assert.equal(await limit(path), '100');
  assert.equal(await limit(`/api/service/v2/groups/${GROUP}/tagged`), '100');
  assert.equal(await limit(`/api/service/v2/groups/${GROUP}/plain`), undefined);
});
