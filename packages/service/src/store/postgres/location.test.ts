import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSession, hostsOf, placeOf } from './location.ts';

const FORM = 'The database URL is invalid: it has the form postgres://user:password@host:5432/database';

test('a URL with one host is kept as it is', () => {
  for (const [url, name] of [
    ['postgres://me:a,b@db:5432/some?sslmode=disable', 'db:5432'],
    ['postgresql://db/some', 'db'],
    ['postgres://me@[::1]:5433/some', '[::1]:5433'],
    ['postgres:///some?host=/run/postgresql', '/run/postgresql'],
    ['postgres://me@%2Frun%2Fpostgresql/some', '/run/postgresql'],
  ] as const)
    assert.deepEqual(hostsOf(url), [{ url, name }]);
});

test('a URL with several hosts names each of them', () => {
  assert.deepEqual(
    hostsOf('postgres://me:a@b,c@one:5432,two,[::1]:5434/some?sslmode=disable&target_session_attrs=primary'),
    [
      { url: 'postgres://me:a@b,c@one:5432/some?sslmode=disable', name: 'one:5432' },
      { url: 'postgres://me:a@b,c@two/some?sslmode=disable', name: 'two' },
      { url: 'postgres://me:a@b,c@[::1]:5434/some?sslmode=disable', name: '[::1]:5434' },
    ],
  );
  assert.deepEqual(hostsOf('postgresql://me@/some?host=one,::1&port=5432,5433'), [
    { url: 'postgresql://me@one:5432/some', name: 'one:5432' },
    { url: 'postgresql://me@[::1]:5433/some', name: '[::1]:5433' },
  ]);
  assert.deepEqual(
    hostsOf('postgres:///some?host=one,/run/pg&port=5433').map(({ name }) => name),
    ['one:5433', '/run/pg:5433'],
  );
});

test('an error names the database and all hosts, without the credentials', () => {
  const place = placeOf('postgres://me:hidden@one:5432,two:5433/harbour');
  assert.equal(place, 'The database harbour at one:5432, two:5433');
  assert.equal(placeOf('postgres://me:hidden@one'), 'The database of the user at one');
});

test('a URL that names no server is rejected without repeating it', () => {
  for (const url of [
    'mysql://me:hidden@one,two/some',
    'postgres://me:hidden@one,,two/some',
    'postgres://me:hidden@one:5432,:5433/some',
    'postgres://me:hidden@one:70000,two/some',
    'postgres:///some?host=one,two&port=1,2,3',
    'one,two',
  ])
    assert.throws(() => hostsOf(url), { kind: 'configuration', message: FORM });
});

test('a session that cannot write is rejected', () => {
  const url = (wanted: string) => `postgres://me:hidden@one,two/some?target_session_attrs=${wanted}`;
  for (const wanted of ['any', 'read-write', 'primary']) checkSession(url(wanted));
  for (const wanted of ['read-only', 'standby', 'prefer-standby'])
    assert.throws(() => checkSession(url(wanted)), {
      kind: 'configuration',
      message:
        'The database URL is invalid: target_session_attrs is read-write or primary, since the service writes',
    });
});
