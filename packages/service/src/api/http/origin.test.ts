import assert from 'node:assert/strict';
import { test } from 'node:test';
import { originFinder } from './origin.ts';

test('a loopback service accepts every loopback name of its port', () => {
  const find = originFinder({ publicUrl: 'https://127.0.0.1:8443' });
  const origin = (host: string) => find({ host }, false);
  assert.equal(origin('127.0.0.1:8443'), 'https://127.0.0.1:8443');
  assert.equal(origin('localhost:8443'), 'https://localhost:8443');
  assert.equal(origin('[::1]:8443'), 'https://[::1]:8443');
  assert.equal(origin('localhost:9999'), 'https://127.0.0.1:8443');
  assert.equal(origin('localhost.evil.test:8443'), 'https://127.0.0.1:8443');
  assert.equal(origin('a b'), 'https://127.0.0.1:8443');
  assert.equal(find({}, false), 'https://127.0.0.1:8443');
});
