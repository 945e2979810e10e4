import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { answerChecker } from '@portolan/test-support/answers';
import { crawl } from '@portolan/test-support/crawler';
import type { Response as Injected } from 'light-my-request';
import { documentMounts } from './document-mounts.ts';
import { exampleInput, exampleOperations } from './documents/testing.ts';
import { ABSENT, GROUP, testApi } from './testing.ts';

/**
 * Returns the sample operations behind the real HTTP layer, and a function that checks its responses against
 * the documents.
 */
async function harbour(t: TestContext) {
  const { send } = await testApi(t, exampleOperations, { mounts: documentMounts(exampleInput) });
  const get = async (path: string) => {
    const { statusCode, payload } = await send({ url: path });
    return { status: statusCode, text: payload };
  };
  const checker = await answerChecker(get);
  const ask = async (request: Parameters<typeof send>[0] & { method?: string }) => {
    const answer = await send(request);
    const headers = asHeaders(answer.headers);
    const { method = 'GET', url } = request;
    checker.check({ method, url, status: answer.statusCode, headers, body: answer.payload });
    return answer;
  };
  return { ask, get };
}

function asHeaders(headers: Injected['headers']): Headers {
  return new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

const ships = `/groups/${GROUP}/ships`;

describe('responses of the edge', () => {
  it('match the served documents, in every version and format', async (t) => {
    const { ask } = await harbour(t);
    const dated = (date: string) => ({ headers: { accept: `application/vnd.service.${date}+json` } });
    for (const base of ['/api/service/v1.0', '/api/service/v2']) {
      for (const query of ['', '?envelope=true', '?pretty=true', '?envelope=true&pretty=true']) {
        assert.equal((await ask({ url: base + query })).statusCode, 200);
        assert.equal((await ask({ url: `${base}${ships}${query}` })).statusCode, 200);
        assert.equal((await ask({ url: `${base}${ships}/Elida${query}` })).statusCode, 200);
      }
    }
    assert.equal(
      (await ask({ url: `/api/service/v2${ships}/Elida`, ...dated('2023-01-01') })).statusCode,
      200,
    );
    assert.equal(
      (await ask({ url: `/api/service/v2${ships}/Elida`, ...dated('2024-05-30') })).statusCode,
      501,
    );
    assert.equal(
      (await ask({ url: `/api/service/v2${ships}/Elida`, ...dated('2022-01-01') })).statusCode,
      406,
    );
    assert.equal((await ask({ method: 'DELETE', url: `/api/service/v2${ships}/Elida` })).statusCode, 204);
    assert.equal((await ask({ method: 'HEAD', url: `/api/service/v2${ships}` })).statusCode, 200);
  });

  it('match the documents if they are errors', async (t) => {
    const { ask } = await harbour(t);
    const bare = { authorization: '' };
    assert.equal((await ask({ url: '/api/service/v2/unknown' })).statusCode, 404);
    assert.equal((await ask({ method: 'PUT', url: `/api/service/v2${ships}` })).statusCode, 405);
    assert.equal((await ask({ url: `/api/service/v2${ships}?pageNum=0&envelope=true` })).statusCode, 400);
    assert.equal((await ask({ url: `/api/service/v2/groups/${ABSENT}/ships` })).statusCode, 404);
    assert.equal(
      (await ask({ url: `/api/service/v2${ships}?envelope=true`, headers: bare })).statusCode,
      401,
    );
    const body = { method: 'POST' as const, url: `/api/service/v2${ships}`, payload: { name: 7 } };
    assert.equal((await ask(body)).statusCode, 400);
  });

  it('reach every operation of the documents by links', async (t) => {
    const { get } = await harbour(t);
    const { missed, broken } = await crawl({ get });
    assert.deepEqual(missed, []);
    assert.deepEqual(broken, []);
  });
});
