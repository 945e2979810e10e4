import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordedCall } from '../../api/inspect/inspector.ts';
import { isChallenge, matching } from './rules.ts';

const call = (requestId: string, status: number, changes: Partial<RecordedCall> = {}): RecordedCall => ({
  requestId,
  status,
  at: 0,
  caller: undefined,
  address: '192.0.2.1',
  operation: 'getProject',
  method: 'GET',
  origin: 'https://service.test',
  target: '/a',
  version: undefined,
  errorCode: undefined,
  detail: undefined,
  reference: undefined,
  unread: { fields: [], parameters: [] },
  milliseconds: 1,
  request: { headers: { authorization: 'Digest ********' } },
  response: { headers: {} },
  isBackground: false,
  ...changes,
});

const challenge = (requestId: string, changes: Partial<RecordedCall> = {}): RecordedCall =>
  call(requestId, 401, {
    request: { headers: {} },
    response: { headers: { 'www-authenticate': 'Digest realm="service"' } },
    ...changes,
  });

const failed = (...calls: readonly RecordedCall[]) =>
  matching({ calls: () => calls }, { failed: true }).map(({ requestId }) => requestId);

test('a challenge is a 401 response to a request without credentials', () => {
  assert.equal(isChallenge(challenge('a')), true);
  assert.equal(
    isChallenge(challenge('a', { request: { headers: { authorization: 'Digest ********' } } })),
    false,
  );
  assert.equal(isChallenge(challenge('a', { response: { headers: {} } })), false);
  assert.equal(isChallenge(call('a', 403)), false);
});

test('failures omit challenges that the client answered', () => {
  assert.deepEqual(failed(call('b', 200), challenge('a')), []);
  assert.deepEqual(failed(call('b', 404), challenge('a')), ['b']);
  assert.deepEqual(failed(call('b', 401), challenge('a')), ['b']);
});

test('failures contain challenges that the client did not answer', () => {
  assert.deepEqual(failed(challenge('b'), challenge('a')), ['b', 'a']);
  assert.deepEqual(failed(call('c', 200), challenge('b'), challenge('a')), ['a']);
  for (const change of [{ target: '/b' }, { method: 'PUT' }, { address: '192.0.2.2' }])
    assert.deepEqual(failed(call('b', 200, change), challenge('a')), ['a']);
});
