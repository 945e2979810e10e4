import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from '@portolan/foundation/faults';
import Type from 'typebox';
import { ABSENT, GROUP, operation, testApi } from './testing.ts';

const { NO_SUCH_THING } = faults({ NO_SUCH_THING: [404, 'There is no thing {0}.'] });

const changeThing = operation({
  id: 'changeThing',
  summary: 'Changes the thing.',
  tag: 'Things',
  method: 'PATCH',
  path: '/groups/{groupId}/thing',
  access: 'Project Owner',
  rateLimited: true,
  query: Type.Object({ depth: Type.Optional(Type.Integer()) }),
  body: Type.Object({ name: Type.String() }),
  reply: Type.Object({ name: Type.String() }),
  status: 200,
  async handler({ body }) {
    throw NO_SUCH_THING(body.name);
  },
});

interface Trial {
  authorization?: string;
  accept?: string;
  type?: string;
  method?: 'PATCH' | 'PUT';
  path?: string;
  payload?: string;
}

const worst: Trial = {
  authorization: '',
  accept: 'application/vnd.service.2020-01-01+json',
  type: 'text/csv',
  method: 'PUT',
  path: '/groups/zzz/nothing?depth=deep',
  payload: '{',
};

/**
 * Corrections of a request that initially violates every rule. They are applied one after another. Each entry
 * contains the error that the request causes after the correction.
 */
const trials: readonly [right: Trial, status: number, code: string][] = [
  [{}, 401, 'UNEXPECTED_ERROR'],
  [{ authorization: 'Bearer elsewhere' }, 403, 'IP_ADDRESS_NOT_ON_ACCESS_LIST'],
  [{ authorization: 'Bearer reader' }, 404, 'RESOURCE_NOT_FOUND'],
  [{ path: '/groups/zzz/thing?depth=deep' }, 405, 'UNEXPECTED_ERROR'],
  [{ method: 'PATCH' }, 406, 'INVALID_VERSION_DATE'],
  [{ accept: 'application/vnd.service.2025-03-12+json' }, 404, 'INVALID_GROUP_ID'],
  [{ path: `/groups/${ABSENT}/thing?depth=deep` }, 404, 'GROUP_NOT_FOUND'],
  [{ path: `/groups/${GROUP}/thing?depth=deep` }, 401, 'USER_UNAUTHORIZED'],
  [{ authorization: 'Bearer owner' }, 400, 'INVALID_QUERY_PARAMETER'],
  [{ path: `/groups/${GROUP}/thing` }, 415, 'UNEXPECTED_ERROR'],
  [{ type: 'application/json' }, 400, 'MALFORMED_JSON'],
  [{ payload: '{"nmae":1}' }, 400, 'INVALID_ATTRIBUTE'],
  [{ payload: '{"name":1}' }, 400, 'INVALID_JSON_ATTRIBUTE'],
  [{ payload: '{"name":"x"}' }, 404, 'NO_SUCH_THING'],
];

test('a request fails at the first step that rejects it', async (t) => {
  const { app } = await testApi(t, [changeThing]);
  let trial = worst;
  for (const [right, status, code] of trials) {
    trial = { ...trial, ...right };
    const { authorization, accept, type, method = 'PATCH', path, payload = '' } = trial;
    const headers = {
      ...(authorization ? { authorization } : {}),
      accept,
      'content-type': type,
    };
    const answer = await app.inject({ method, url: `/api/service/v2${path}`, headers, payload });
    const { errorCode } = answer.json();
    assert.deepEqual([answer.statusCode, errorCode], [status, code], JSON.stringify(right));
  }
});

test('the rate limit applies after the role check and before the query', async (t) => {
  const { send } = await testApi(t, [changeThing], { rates: { take: async () => -1 } });
  const url = `/api/service/v2/groups/${GROUP}/thing?depth=deep`;
  const reader = await send({ method: 'PATCH', url, headers: { authorization: 'Bearer reader' } });
  assert.equal(reader.json().errorCode, 'USER_UNAUTHORIZED');
  const owner = await send({ method: 'PATCH', url });
  assert.equal(owner.json().errorCode, 'RATE_LIMITED');
});

test('a body is not read before the request is admitted', async (t) => {
  const { app } = await testApi(t, [changeThing], { limits: { bodyBytes: 10 } });
  const url = `/api/service/v2/groups/${GROUP}/thing`;
  const answer = await app.inject({ method: 'PATCH', url, payload: 'x'.repeat(1000) });
  assert.equal(answer.statusCode, 401);
});
