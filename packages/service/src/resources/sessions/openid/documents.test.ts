import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundedDocuments } from './documents.ts';

const given = (text: string) => boundedDocuments(async () => new Response(text))('https://id.example.org/');

test('a document of usual size is returned', async () => {
  const document = { issuer: 'https://id.example.org', scopes_supported: ['openid', 'email'] };
  assert.deepEqual(await (await given(JSON.stringify(document))).json(), document);
});

test('documents that would take much memory are rejected', async () => {
  await assert.rejects(given(JSON.stringify('x'.repeat(65_536))), /more than 65536 bytes/);
  await assert.rejects(given(`[${Array(2_001).fill('{}').join(',')}]`), /more than 2000 values/);
  await assert.rejects(given('['.repeat(17) + ']'.repeat(17)), /16 levels/);
});
