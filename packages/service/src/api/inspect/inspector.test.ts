import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '@portolan/foundation/faults';
import { Inspector, type RecordedCall } from './inspector.ts';
import { shownBody, shownDetail, shownHeaders, shownTarget } from './secrets.ts';

const call = (requestId: string, body?: string, isBackground = false, at = 0): RecordedCall => ({
  requestId,
  at,
  isBackground,
  caller: undefined,
  address: '192.0.2.1',
  operation: 'getProject',
  method: 'GET',
  origin: 'https://service.test',
  target: '/a',
  version: undefined,
  status: 200,
  errorCode: undefined,
  detail: undefined,
  reference: undefined,
  unread: { fields: [], parameters: [] },
  milliseconds: 1,
  request: { headers: {} },
  response: { headers: {}, body },
});
const kept = (inspector: Inspector, withBackground = false) =>
  [...inspector.calls(withBackground)].map(({ requestId }) => requestId);

test('the last calls are kept, newest first', () => {
  const inspector = new Inspector({ calls: 3, bytes: 1e6 });
  for (const id of ['a', 'b', 'c', 'd', 'e']) inspector.record(call(id));
  assert.deepEqual(kept(inspector), ['e', 'd', 'c']);
  inspector.clear();
  assert.deepEqual(kept(inspector), []);
  inspector.record(call('f'));
  assert.deepEqual(kept(inspector), ['f']);
});

test('old calls make room for a large one, and one that is too large is not kept', () => {
  const inspector = new Inspector({ calls: 100, bytes: 10_000 });
  for (const id of ['a', 'b', 'c']) inspector.record(call(id));
  inspector.record(call('large', 'x'.repeat(4000)));
  assert.deepEqual(kept(inspector), ['large']);
  inspector.record(call('huge', 'x'.repeat(5000)));
  assert.deepEqual(kept(inspector), []);
});

test('background requests replace only background requests, and are listed on request', () => {
  const inspector = new Inspector({ calls: 2, bytes: 1e6 }, { calls: 3, bytes: 1e6 });
  inspector.record(call('a', undefined, false, 1));
  for (const at of [2, 3, 5, 6]) inspector.record(call(`page ${at}`, undefined, true, at));
  inspector.record(call('b', undefined, false, 4));
  assert.deepEqual(kept(inspector), ['b', 'a']);
  assert.deepEqual(kept(inspector, true), ['page 6', 'page 5', 'b', 'page 3', 'a']);
  inspector.clear();
  assert.deepEqual(kept(inspector, true), []);
});

test('credentials in headers are hidden except for their scheme', () => {
  const headers = {
    accept: 'application/json',
    authorization: 'Digest username="abcdefgh", response="0123"',
    cookie: 'session=1',
    'set-cookie': ['session=1', 'other=2'],
    'x-api-key': 'k',
    'x-csrf-token': 't',
  };
  assert.deepEqual(shownHeaders(headers), {
    accept: 'application/json',
    authorization: 'Digest ********',
    cookie: '********',
    'set-cookie': '********',
    'x-api-key': '********',
    'x-csrf-token': '********',
  });
  assert.deepEqual(shownHeaders({ authorization: 'secret' }), { authorization: '********' });
  const challenges = { 'www-authenticate': ['Digest realm="a"', 'Bearer'] };
  assert.deepEqual(shownHeaders(challenges), { 'www-authenticate': 'Digest realm="a",Bearer' });
});

test('headers that are the same as before are kept once, however their credentials differ', () => {
  const sent = (nonce: string) => ({ accept: '*/*', authorization: `Digest nonce="${nonce}"` });
  const first = shownHeaders(sent('a'));
  assert.deepEqual(first, { accept: '*/*', authorization: 'Digest ********' });
  assert.equal(shownHeaders(sent('b'), first), first);
  for (const other of [{ ...sent('b'), host: 'h' }, { accept: '*/*' }, { ...sent('b'), accept: 'a' }])
    assert.notEqual(shownHeaders(other, first), first);
  const plain = { 'content-length': '7' };
  assert.equal(shownHeaders(plain), plain);
  const hidden = { authorization: '********' };
  assert.deepEqual(shownHeaders({ authorization: 'Bearer a' }, hidden), { authorization: 'Bearer ********' });
});

test('secret parameters of the query are hidden', () => {
  assert.equal(shownTarget('/a?pretty=true&token=abc&b'), '/a?pretty=true&token=********&b');
  assert.equal(shownTarget('/a?%74oken=abc&%zz=1'), '/a?%74oken=********&%zz=1');
  assert.equal(shownTarget('/a'), '/a');
});

test('secrets in bodies are hidden by the names of their fields, and in texts by their form', () => {
  const body = {
    awsKms: { accessKeyID: 'A', secretAccessKey: 's' },
    apiKeyId: 'k',
    connectionString: 'mongodb://sailor:s@db.example.org/?tls=true',
    deliveryUrl: ['s', 's'],
    link: 'mongodb://sailor:s@db.example.org/?tls=true',
    note: 'is db_sa_sk_0123456789012345678901234567890123456789 now',
    password: 's',
    privateKey: 's',
    secrets: [{ id: 'i', secret: 's' }],
    self: 'https://example.org/orgs?%74oken=s&pretty=true&apiKey=s#end',
    tokenizer: 'standard',
    validity: { secretValidityInHours: 8 },
  };
  assert.deepEqual(JSON.parse(shownBody(JSON.stringify(body)) ?? ''), {
    ...body,
    awsKms: { accessKeyID: 'A', secretAccessKey: '********' },
    connectionString: '********',
    deliveryUrl: ['********', '********'],
    link: 'mongodb://sailor:********@db.example.org/?tls=true',
    note: 'is ******** now',
    password: '********',
    privateKey: '********',
    secrets: [{ id: 'i', secret: '********' }],
    self: 'https://example.org/orgs?%74oken=********&pretty=true&apiKey=********#end',
  });
  assert.equal(shownBody('["eyJh.eyJp.c2ln"]'), '["********"]');
  assert.equal(shownBody('grant_type=client_credentials&client_secret=s'), undefined);
});

test('the text of an error does not quote the value of a secret field', () => {
  const fault = (field: string, value: string) =>
    shownDetail(new Fault('INVALID_URL', 400, `${value} is not a valid URL.`, [value]).at(field), true);
  assert.equal(
    fault('notifications.0.webhookUrl', 'hooks/T0/s3'),
    'notifications.0.webhookUrl: ******** is not a valid URL.',
  );
  assert.equal(fault('website', 'hooks'), 'website: hooks is not a valid URL.');
  assert.equal(fault('website', 'mongodb://a:s3@b'), 'website: mongodb://a:********@b is not a valid URL.');
});

test('the text of a database is in the text of an error only if bodies are recorded', () => {
  const message = 'E11000 duplicate key error dup key: { mail: "ada@example.org" }';
  const fault = new Fault('FAILED', 400, `DuplicateKey (11000): ${message}`, [
    'DuplicateKey',
    11000,
    message,
  ]);
  assert.equal(shownDetail(fault.with({ stored: [message] }), false), 'DuplicateKey (11000): ********');
  assert.equal(shownDetail(fault, true), `DuplicateKey (11000): ${message}`);
});
