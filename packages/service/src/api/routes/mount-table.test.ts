import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mount } from '../mounts.ts';
import { MountTable } from './mount-table.ts';

const handle = () => Promise.reject(new Error('not called'));
const document: Mount = { id: 'document', method: 'GET', path: '/api/documents/{name}.json', handle };
const readToken: Mount = { id: 'readToken', method: 'GET', path: '/api/token', handle };
const addToken: Mount = { id: 'addToken', method: 'POST', path: '/api/token', handle };
const table = new MountTable([document, readToken, addToken]);

test('finds the mount of a method and path, with its decoded parameters', () => {
  assert.deepEqual(table.find('GET', '/api/documents/a%20b.json', {}), {
    mount: document,
    params: { name: 'a b' },
  });
  assert.deepEqual(table.find('POST', '/api/token', {}), { mount: addToken, params: {} });
  assert.deepEqual(table.find('HEAD', '/api/token/', {}), { mount: readToken, params: {} });
});

test('finds nothing for another method or path', () => {
  for (const [method, path] of [
    ['DELETE', '/api/token'],
    ['HEAD', '/api'],
    ['GET', '/api/documents/.json'],
    ['GET', '/api/documents/%zz.json'],
  ] as const) {
    assert.equal(table.find(method, path, {}), undefined, `${method} ${path}`);
  }
});

test('names the methods of a path', () => {
  assert.deepEqual(table.methodsOf('/api/token'), ['GET', 'HEAD', 'POST']);
  assert.deepEqual(table.methodsOf('/api/nothing'), []);
});
