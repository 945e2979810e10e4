import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CustomRoleSpec, UserSpec } from '@portolan/engine/interface/engine';
import { accountsOf } from './accounts.ts';

const RESOURCE = 'harbour-a1b2c3';

const userNamed = (username: string, change: Partial<UserSpec> = {}): UserSpec => ({
  ...{ username, database: 'admin', scram: {}, password: { text: 'two bells', version: 'v1' } },
  roles: [{ role: 'readWrite', database: 'harbour' }],
  ...change,
});

/** Returns the users and roles in the resource, with `secret` for the key of each password. */
function accounts(users: readonly UserSpec[], more: Partial<Parameters<typeof accountsOf>[1]> = {}) {
  const { fields, ...others } = accountsOf(RESOURCE, { revision: 1, users, known: [], ...more });
  const entries = (fields.users ?? []) as { passwordSecretRef: { name: string; key: string } }[];
  const shown = entries.map(({ passwordSecretRef: _, ...entry }) => entry);
  const keys = entries.map(({ passwordSecretRef: { key } }) => key);
  return { ...others, keys, fields, users: shown };
}

test('a user has the fields of the resource, and a password in the secret', () => {
  const { fields, passwords, names, problem } = accounts([userNamed('pilot')]);
  const [key] = passwords.keys();
  assert.deepEqual(fields, {
    users: [
      {
        ...{ name: 'pilot', db: 'admin' },
        passwordSecretRef: { name: 'harbour-a1b2c3-database-users', key },
        roles: [{ name: 'readWrite', db: 'harbour' }],
      },
    ],
  });
  assert.deepEqual([[...passwords.values()], names, problem], [['two bells'], ['pilot'], undefined]);
});

test('another password has another key', () => {
  const [before] = accounts([userNamed('pilot')]).keys;
  const [after] = accounts([userNamed('pilot', { password: { text: 'three bells', version: 'v2' } })]).keys;
  assert.notEqual(before, after);
});

test('a role of the API becomes roles of the servers', () => {
  const { users } = accounts([
    userNamed('master', { roles: [{ role: 'platformAdmin', database: 'admin' }] }),
  ]);
  const roles = ['readWriteAnyDatabase', 'dbAdminAnyDatabase', 'clusterMonitor', 'enableSharding'];
  assert.deepEqual(users, [
    { name: 'master', db: 'admin', roles: roles.map((name) => ({ name, db: 'admin' })) },
  ]);
});

test('custom roles follow the roles that they inherit, with one privilege for each resource', () => {
  const resource = { db: 'harbour', collection: '' };
  const inheriting: CustomRoleSpec = {
    ...{ role: 'outer', database: 'admin', privileges: [] },
    roles: [{ role: 'inner', database: 'admin' }],
  };
  const inherited: CustomRoleSpec = {
    ...{ role: 'inner', database: 'admin', roles: [] },
    privileges: [
      { actions: ['find'], resource },
      { actions: ['insert'], resource: { cluster: true } },
      { actions: ['collStats', 'find'], resource },
    ],
  };
  assert.deepEqual(accounts([], { customRoles: [inheriting, inherited] }).fields, {
    roles: [
      {
        ...{ role: 'inner', db: 'admin', roles: [] },
        privileges: [
          { actions: ['collStats', 'find'], resource },
          { actions: ['insert'], resource: { cluster: true } },
        ],
      },
      { ...{ role: 'outer', db: 'admin', privileges: [] }, roles: [{ role: 'inner', db: 'admin' }] },
    ],
  });
});

test('roles on single collections become a role of the user', () => {
  const roles = [{ role: 'read', database: 'harbour', collection: 'ports' }];
  const { fields, users } = accounts([userNamed('pilot', { roles })]);
  const [role] = fields.roles as { role: string; privileges: { resource: object }[] }[];
  assert.match(role?.role ?? '', /^portolan-[0-9a-f]{24}$/);
  assert.deepEqual(
    role?.privileges.map(({ resource }) => resource),
    [{ db: 'harbour', collection: 'ports' }],
  );
  assert.deepEqual(users, [{ name: 'pilot', db: 'admin', roles: [{ name: role?.role, db: 'admin' }] }]);
});

test('a user that the project no longer has gets another password and loses its roles', () => {
  const known = [
    { name: 'pilot', closed: 'a new password' },
    { name: 'master', closed: 'another password' },
  ];
  const { fields, users, passwords, names, keys } = accounts([userNamed('master')], { known });
  assert.deepEqual(users, [
    { name: 'master', db: 'admin', roles: [{ name: 'readWrite', db: 'harbour' }] },
    { name: 'pilot', db: 'admin', roles: [{ name: 'portolan-closed', db: 'admin' }] },
  ]);
  assert.deepEqual(fields.roles, [
    {
      ...{ role: 'portolan-closed', db: 'admin', roles: [] },
      privileges: [{ actions: ['find'], resource: { db: 'portolan', collection: 'closed' } }],
    },
  ]);
  assert.deepEqual([passwords.get(keys[1] ?? ''), names], ['a new password', ['master']]);
  const again = accounts([userNamed('master'), userNamed('pilot')], { known });
  assert.deepEqual(again.fields.roles, undefined);
  assert.deepEqual([...again.passwords.values()], ['two bells', 'two bells']);
});

const longest = 'p'.repeat(43);
for (const [what, user, problem] of [
  ['the longest name', userNamed(longest), undefined],
  [
    'a longer name',
    userNamed(`${longest}p`),
    /^p+: on this cluster, the name of a user may have up to 43 letters, digits, hyphens, dots and underscores$/,
  ],
  [
    'a name that annotations cannot contain',
    userNamed('pilot@harbour'),
    /^pilot@harbour: on this cluster, the name/,
  ],
  [
    'a name of the operator',
    userNamed('userAdmin'),
    /^userAdmin: the Percona operator has a user with this name$/,
  ],
  [
    'a user without a stored password',
    { username: 'pilot', database: 'admin', scram: {}, roles: [] },
    /^pilot: the service has not stored the password of this user: set the password again$/,
  ],
  [
    'a user with a certificate',
    { username: 'CN=pilot', database: '$external', certificates: { authority: 'customer' }, roles: [] },
    /^CN=pilot: on Kubernetes, only users with a password can log in$/,
  ],
] as const satisfies readonly (readonly [string, UserSpec, RegExp | undefined])[]) {
  test(`${what} ${problem === undefined ? 'is accepted' : 'is a problem'}`, () => {
    const { users, problem: found } = accounts([user]);
    if (problem === undefined) assert.deepEqual([found, users.length], [undefined, 1]);
    else {
      assert.match(found ?? '', problem);
      assert.deepEqual(users, []);
    }
  });
}
