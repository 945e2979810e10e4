import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf } from './refusal.ts';

const status = (message: string, reason = 'NotFound') =>
  JSON.stringify({ kind: 'Status', status: 'Failure', reason, message, code: 404 });

const KIND = 'PerconaServerMongoDB';
const reasonOf = (error: unknown) => (refusalOf(error, KIND) as { readonly reason?: string }).reason;

test('a missing definition is told apart from a missing object', () => {
  const missing = [
    { code: 404, body: '404 page not found\n' },
    { code: 404, body: status('the server could not find the requested resource') },
    { statusCode: 404 },
    new Error(`Unrecognized API version and kind: psmdb.percona.com/v1 ${KIND}`),
  ];
  for (const error of missing) {
    assert.equal(reasonOf(error), 'KindMissing');
    assert.equal(
      refusalOf(error, KIND).message,
      'Kubernetes does not know the kind PerconaServerMongoDB of psmdb.percona.com/v1: install the Percona operator for MongoDB',
    );
  }
  const object = { code: 404, body: status('perconaservermongodbs.psmdb.percona.com "quay" not found') };
  assert.equal(reasonOf(object), 'NotFound');
  assert.equal(reasonOf({ code: 403, body: status('no', 'Forbidden') }), 'Forbidden');
  assert.equal(refusalOf(new Error('connect ECONNREFUSED'), KIND).message, 'connect ECONNREFUSED');
});
