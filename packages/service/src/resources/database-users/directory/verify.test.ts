import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readQuery } from './verify.ts';

const DN = 'cn=Ada (Countess),dc=example,dc=org';

test('a query has a base, attributes, a scope and a filter', () => {
  const limits = { sizeLimit: 1, timeLimit: 10 };
  assert.deepEqual(readQuery('{USER}?memberOf?base', DN), {
    base: DN,
    options: { scope: 'base', attributes: ['memberOf'], ...limits },
  });
  assert.deepEqual(readQuery('dc=example,dc=org??sub?(&(objectClass=group)(member={USER}))', DN), {
    base: 'dc=example,dc=org',
    options: {
      scope: 'sub',
      filter: '(&(objectClass=group)(member=cn=Ada \\28Countess\\29,dc=example,dc=org))',
      ...limits,
    },
  });
});

test('queries that RFC 4516 does not allow are rejected', () => {
  for (const query of [
    '',
    '?cn?base',
    'dc=org??deep',
    'dc=org??toString',
    'dc=org??sub?cn=a',
    'dc=org?a?one?(a=b)?c',
  ])
    assert.equal(readQuery(query, DN), undefined, query);
});
