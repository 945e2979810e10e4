import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordedCall } from '../../api/inspect/inspector.ts';
import { archiveOf } from './har.ts';

const call: RecordedCall = {
  requestId: 'a',
  at: 0,
  caller: undefined,
  address: '127.0.0.1',
  method: 'OPTIONS',
  origin: 'https://127.0.0.1:8443',
  target: '*',
  operation: 'none',
  version: undefined,
  status: 401,
  errorCode: undefined,
  detail: undefined,
  reference: undefined,
  unread: { fields: [], parameters: [] },
  milliseconds: 1,
  request: { headers: {} },
  response: { headers: {} },
  isBackground: false,
};

test('an archive contains requests whose target is not a path', () => {
  const entryOf = (target: string) => archiveOf([{ ...call, target }]).log.entries[0]?.request;
  assert.deepEqual(entryOf('*')?.url, 'https://127.0.0.1:8443/*');
  assert.deepEqual(entryOf('//x:y?a=1&a=%zz')?.queryString, [
    { name: 'a', value: '1' },
    { name: 'a', value: '%zz' },
  ]);
});
