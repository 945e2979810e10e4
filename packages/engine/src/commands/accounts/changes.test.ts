import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;
const root = { username: 'root', database: 'admin', roles: [{ role: 'root', database: 'admin' }] };
const run = (command: Document) => cluster.run({ $db: 'shop', ...command }, { user: root });
const grant = { resource: { db: 'shop', collection: '' }, actions: ['find'] };
const usersOf = (name: string) => run({ usersInfo: name, showCredentials: true }).users[0];
const roleOf = (name: string) => run({ rolesInfo: name, showPrivileges: true }).roles[0];

before(() => {
  cluster = new TestCluster();
  assert.equal(run({ createRole: 'clerk', privileges: [grant], roles: [] }).ok, 1);
  assert.equal(run({ createUser: 'ada', pwd: 'pencil', roles: ['clerk'], customData: { n: 5 } }).ok, 1);
});
after(() => cluster.remove());

describe('a restore of users and roles', () => {
  const dumped = { user: 'lin', db: 'crm', credentials: {}, roles: [{ role: 'seller', db: 'crm' }] };
  const merge = (command: Document) =>
    run({ _mergeAuthzCollections: 1, tempUsersCollection: 'admin.tempusers', $db: 'admin', ...command });
  const names = () =>
    run({ usersInfo: { forAllDBs: true } })
      .users.map(({ _id }: Document) => _id)
      .filter((name: string) => name !== 'admin.root');

  before(() => {
    const role = { role: 'seller', db: 'crm', privileges: [], roles: [] };
    const documents = [
      { _id: 'crm.lin', ...dumped },
      { _id: 'shop.ada', user: 'ada', db: 'shop', credentials: {}, roles: [] },
    ];
    run({ insert: 'tempusers', documents, $db: 'admin' });
    run({ insert: 'temproles', documents: [{ _id: 'crm.seller', ...role }], $db: 'admin' });
  });
  after(() => run({ dropUser: 'lin', $db: 'crm' }));

  it('adds those that are missing, of one database or all', () => {
    assert.equal(merge({ db: 'other' }).ok, 1);
    assert.deepEqual(names(), ['shop.ada']);
    assert.equal(merge({ db: '', tempRolesCollection: 'admin.temproles' }).ok, 1);
    assert.deepEqual(names().toSorted(), ['crm.lin', 'shop.ada']);
    assert.deepEqual(usersOf('ada').roles, [{ role: 'clerk', db: 'shop' }]);
    assert.deepEqual(run({ rolesInfo: 'seller', $db: 'crm' }).roles[0]?.role, 'seller');
  });

  it('with drop, replaces the others of the database', () => {
    run({ createUser: 'eve', pwd: 'x', roles: [], $db: 'crm' });
    assert.equal(merge({ db: 'crm', drop: true }).ok, 1);
    assert.deepEqual(names().toSorted(), ['crm.lin', 'shop.ada']);
  });

  it('needs a collection', () => assert.equal(merge({ tempUsersCollection: '' }).code, 2));
});

describe('users', () => {
  it('store SCRAM verifiers instead of passwords, across a restart', () => {
    cluster.reopen();
    const { user, db, roles, customData, credentials } = usersOf('ada');
    assert.deepEqual(
      [user, db, roles, customData],
      ['ada', 'shop', [{ role: 'clerk', db: 'shop' }], { n: 5 }],
    );
    assert.deepEqual(Object.keys(credentials), ['SCRAM-SHA-1', 'SCRAM-SHA-256']);
    const kept = run({ find: 'system.users', $db: 'admin' }).cursor.firstBatch;
    assert.ok(kept.length === 1 && !JSON.stringify(kept).includes('pencil'));
  });

  it('lose mechanisms, and change passwords and roles', () => {
    const before = usersOf('ada').credentials['SCRAM-SHA-256'];
    run({ updateUser: 'ada', pwd: 'crayon', mechanisms: ['SCRAM-SHA-256'] });
    const { credentials, mechanisms } = usersOf('ada');
    assert.deepEqual(mechanisms, ['SCRAM-SHA-256']);
    assert.notDeepEqual(credentials['SCRAM-SHA-256'], before);
    run({ grantRolesToUser: 'ada', roles: ['read', { role: 'dbAdmin', db: 'crm' }] });
    run({ revokeRolesFromUser: 'ada', roles: ['read'] });
    assert.deepEqual(usersOf('ada').roles, [
      { role: 'clerk', db: 'shop' },
      { role: 'dbAdmin', db: 'crm' },
    ]);
  });

  const refused: ReadonlyArray<readonly [Document, code: number]> = [
    [{ createUser: 'ada', pwd: 'x', roles: [] }, 51003],
    [{ createUser: '', pwd: 'x', roles: [] }, 2],
    [{ createUser: 'eve', roles: [] }, 2],
    [{ createUser: 'eve', pwd: 'x' }, 40414],
    [{ createUser: 'eve', pwd: 'x', roles: [], $db: 'local' }, 2],
    [{ createUser: 'eve', pwd: 'x', roles: [], $db: '$external' }, 2],
    [{ createUser: 'eve', pwd: 'x', roles: ['nonsense'] }, 31],
    [{ createUser: 'eve', pwd: 'x', roles: [], mechanisms: [] }, 2],
    [{ createUser: 'eve', pwd: 'x', roles: [], mechanisms: ['PLAIN'] }, 2],
    [{ createUser: 'eve', pwd: 'x', roles: [], mechanisms: ['SCRAM-SHA-256'], digestPassword: false }, 2],
    [
      { createUser: 'eve', pwd: 'x', roles: [], authenticationRestrictions: [{ clientSource: ['home'] }] },
      12,
    ],
    [{ updateUser: 'ada' }, 2],
    [{ updateUser: 'eve', pwd: 'x' }, 11],
    [{ dropUser: 'eve' }, 11],
    [{ grantRolesToUser: 'ada', roles: [] }, 2],
    [{ grantRolesToUser: 'eve', roles: ['read'] }, 11],
  ];
  for (const [command, code] of refused) {
    it(`rejects ${JSON.stringify(command)} with ${code}`, () => {
      assert.equal(run(command).code, code);
    });
  }
});

describe('roles', () => {
  it('are granted once, even if a command names them twice', () => {
    run({ createUser: 'twice', pwd: 'x', roles: ['clerk'] });
    run({ grantRolesToUser: 'twice', roles: ['read', 'clerk', { role: 'read', db: 'shop' }] });
    const granted = run({ usersInfo: 'twice' }).users[0].roles.map(({ role }: Document) => role);
    assert.deepEqual(granted.sort(), ['clerk', 'read']);
    run({ createRole: 'twice', privileges: [], roles: [] });
    run({ grantRolesToRole: 'twice', roles: ['read', 'read'] });
    assert.deepEqual(roleOf('twice').roles, [{ role: 'read', db: 'shop' }]);
    run({ dropUser: 'twice' });
    run({ dropRole: 'twice' });
  });

  it('gain and lose privileges and inherited roles', () => {
    run({ createRole: 'head', privileges: [], roles: [] });
    run({ grantPrivilegesToRole: 'head', privileges: [{ ...grant, actions: ['insert', 'find'] }] });
    run({ revokePrivilegesFromRole: 'head', privileges: [grant] });
    run({ grantRolesToRole: 'head', roles: ['clerk'] });
    const { privileges, roles, inheritedPrivileges } = roleOf('head');
    assert.deepEqual(privileges, [{ ...grant, actions: ['insert'] }]);
    assert.deepEqual(roles, [{ role: 'clerk', db: 'shop' }]);
    assert.deepEqual(inheritedPrivileges, [{ ...grant, actions: ['find', 'insert'] }]);
    run({ revokeRolesFromRole: 'head', roles: ['clerk'] });
    assert.deepEqual(roleOf('head').roles, []);
  });

  it('cannot inherit from each other in a cycle', () => {
    run({ createRole: 'a', privileges: [], roles: [] });
    run({ createRole: 'b', privileges: [], roles: ['a'] });
    assert.equal(run({ grantRolesToRole: 'a', roles: ['b'] }).code, 49);
  });

  it('are removed from their holders when dropped', () => {
    run({ createRole: 'gone', privileges: [], roles: [] });
    run({ grantRolesToUser: 'ada', roles: ['gone'] });
    run({ grantRolesToRole: 'clerk', roles: ['gone'] });
    assert.equal(run({ dropRole: 'gone' }).ok, 1);
    assert.ok(!usersOf('ada').roles.some(({ role }: Document) => role === 'gone'));
    assert.deepEqual(roleOf('clerk').roles, []);
  });

  it('can name the buckets of time series', () => {
    const resources = [{ system_buckets: '' }, { db: 'shop', system_buckets: 'sales' }];
    const privileges = resources.map((resource) => ({ resource, actions: ['find'] }));
    run({ createRole: 'keeper', privileges, roles: [], $db: 'admin' });
    const { roles } = run({ rolesInfo: 'keeper', showPrivileges: true, $db: 'admin' });
    assert.deepEqual(roles[0].privileges, privileges);
  });

  const refused: ReadonlyArray<readonly [Document, code: number]> = [
    [{ createRole: 'clerk', privileges: [], roles: [] }, 51002],
    [{ createRole: 'read', privileges: [], roles: [] }, 2],
    [{ createRole: 'x', roles: [] }, 40414],
    [{ createRole: 'x', privileges: [{ ...grant, actions: ['dance'] }], roles: [] }, 9],
    [{ createRole: 'x', privileges: [{ resource: { cluster: true }, actions: ['find'] }], roles: [] }, 49],
    [{ dropRole: 'read' }, 49],
    [{ dropRole: 'nonsense' }, 31],
    [{ updateRole: 'clerk' }, 2],
  ];
  for (const [command, code] of refused) {
    it(`rejects ${JSON.stringify(command)} with ${code}`, () => {
      assert.equal(run(command).code, code);
    });
  }
});

it('users and roles of a whole database can be dropped', () => {
  assert.equal(run({ dropAllUsersFromDatabase: 1 }).n, 1);
  assert.ok(run({ dropAllRolesFromDatabase: 1 }).n >= 3);
  assert.deepEqual(run({ usersInfo: 1 }).users, []);
});

it('updateUser requires privileges, with separate actions for one’s own password', () => {
  const bob = { username: 'bob', database: 'shop', roles: [{ role: 'read', database: 'shop' }] };
  const asBob = (command: Document) => cluster.run({ $db: 'shop', ...command }, { user: bob }).code;
  assert.equal(asBob({ createUser: 'eve', pwd: 'x', roles: [] }), 13);
  assert.equal(asBob({ dropRole: 'clerk' }), 13);
  run({ createUser: 'bob', pwd: 'x', roles: ['read'] });
  assert.equal(asBob({ updateUser: 'bob', pwd: 'y' }), 13);
  run({ createRole: 'self', roles: [], privileges: [{ ...grant, actions: ['changeOwnPassword'] }] });
  const self = { ...bob, roles: [{ role: 'self', database: 'shop' }] };
  assert.equal(cluster.run({ updateUser: 'bob', pwd: 'y', $db: 'shop' }, { user: self }).ok, 1);
});
