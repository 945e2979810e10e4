import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { documentMounts } from './document-mounts.ts';
import { exampleInput } from './documents/testing.ts';

const mounts = documentMounts(exampleInput);

async function get(path: string, params: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const mount = mounts.find((one) => one.path === path);
  assert.ok(mount);
  return mount.handle({
    method: 'GET',
    path: '/',
    params,
    query: {},
    headers,
    body: '',
    address: '127.0.0.1',
  });
}

const documents = '/api/service/openapi/{name}.json';

describe('mounts of the documents', () => {
  it('return a document as JSON', async () => {
    const { status, headers, body } = await get(documents, { name: 'v1.0' });
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(JSON.parse(String(body)).openapi, '3.1.0');
  });

  it('return no body to a caller that has the current document', async () => {
    const { headers } = await get(documents, { name: 'v1.0' });
    const tag = headers.etag ?? '';
    for (const given of [tag, `"other", W/${tag}`]) {
      const again = await get(documents, { name: 'v1.0' }, { 'if-none-match': given });
      assert.deepEqual([again.status, again.body, again.headers.etag], [304, '', tag]);
    }
    assert.equal((await get(documents, { name: 'v1.0' }, { 'if-none-match': '"other"' })).status, 200);
  });

  it('reject an unknown document name', async () => {
    await assert.rejects(get(documents, { name: '2022-01-01' }), {
      code: 'RESOURCE_NOT_FOUND',
      status: 404,
      parameters: ['/api/service/openapi/2022-01-01.json'],
    });
  });

  it('return the reference page with a policy and links to every document', async () => {
    const { status, headers, body } = await get('/api/service/docs');
    assert.equal(status, 200);
    assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'/);
    for (const name of ['2023-01-01', '2024-05-30', '2025-03-12', 'v1.0']) {
      assert.ok(body.includes(`href="/api/service/openapi/${name}.json"`), name);
    }
  });
});
