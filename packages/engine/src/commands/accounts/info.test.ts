import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;
const bob = { username: 'bob', database: 'admin', roles: [{ role: 'read', database: 'shop' }] };

before(() => {
  cluster = new TestCluster();
});
after(() => cluster.remove());

const users = (usersInfo: unknown, more: object = {}) =>
  cluster.run({ usersInfo, $db: 'admin', ...more }, { user: bob });

describe('usersInfo', () => {
  it('returns the caller, however it is named', () => {
    const bobs = { _id: 'admin.bob', user: 'bob', db: 'admin', roles: [{ role: 'read', db: 'shop' }] };
    for (const requested of ['bob', { user: 'bob', db: 'admin' }, ['bob']]) {
      const [{ mechanisms, ...shown }] = users(requested).users;
      assert.deepEqual([shown, mechanisms.length], [bobs, 2]);
    }
  });

  it('returns the privileges of the roles on request', () => {
    const [{ inheritedPrivileges }] = users('bob', { showPrivileges: true }).users;
    assert.deepEqual(inheritedPrivileges[0].resource, { db: 'shop', collection: '' });
  });

  it('returns privileges and restrictions only of named users', () => {
    const list = (usersInfo: unknown, more: object) => cluster.run({ usersInfo, $db: 'admin', ...more });
    for (const more of [{ showPrivileges: true }, { showAuthenticationRestrictions: true }]) {
      for (const requested of [1, { forAllDBs: true }]) assert.equal(list(requested, more).code, 20);
      for (const requested of ['eve', ['eve'], { user: 'eve', db: 'admin' }])
        assert.equal(list(requested, more).ok, 1);
    }
    assert.equal(list(1, { showCredentials: true, showPrivileges: false }).ok, 1);
  });

  it('requires viewUser for other users', () => {
    for (const requested of ['eve', 1, { forAllDBs: true }, ['bob', 'eve']])
      assert.equal(users(requested).code, 13);
    const mine = (usersInfo: unknown, $db = 'admin') => cluster.run({ usersInfo, $db }).users.length;
    assert.deepEqual(
      [mine(1), mine('eve'), mine(1, 'shop'), mine({ forAllDBs: true }, 'shop')],
      [1, 0, 0, 1],
    );
  });

  it('rejects a value that names no user', () => {
    assert.equal(users({ user: 'bob' }).code, 2);
    assert.equal(users(true).code, 2);
  });
});

describe('rolesInfo', () => {
  const roles = (rolesInfo: unknown, more: object = {}) =>
    cluster.run({ rolesInfo, $db: 'shop', ...more }, more);

  it('describes built-in roles', () => {
    const [role] = roles('read', { showPrivileges: true }).roles;
    assert.deepEqual([role.role, role.db, role.isBuiltin], ['read', 'shop', true]);
    assert.ok(role.privileges[0].actions.includes('find'));
    assert.deepEqual(roles('constructor').roles, []);
    assert.deepEqual(
      roles(1, { showBuiltinRoles: true }).roles.map(({ role }: { role: string }) => role),
      ['read', 'readWrite', 'dbAdmin', 'userAdmin', 'dbOwner', 'enableSharding'],
    );
  });

  it('describes the restrictions of a role, and those that it inherits', () => {
    const root = { username: 'root', database: 'admin', roles: [{ role: 'root', database: 'admin' }] };
    const run = (command: object) => cluster.run({ ...command, $db: 'gate' }, { user: root });
    const only = (address: string) => [{ clientSource: [address] }];
    const role = (createRole: string, inherited: string[], more: object = {}) =>
      assert.equal(run({ createRole, privileges: [], roles: inherited, ...more }).ok, 1);
    role('inner', ['read'], { authenticationRestrictions: only('198.51.100.0') });
    role('middle', ['inner']);
    role('outer', ['middle'], { authenticationRestrictions: only('198.51.100.1') });
    const shown = (name: string) => {
      const [found] = run({ rolesInfo: name, showAuthenticationRestrictions: true }).roles;
      return [found.authenticationRestrictions, found.inheritedAuthenticationRestrictions];
    };
    assert.deepEqual(shown('read'), [[], []]);
    assert.deepEqual(shown('inner'), [[only('198.51.100.0')], [only('198.51.100.0')]]);
    assert.deepEqual(shown('middle'), [[], [only('198.51.100.0')]]);
    assert.deepEqual(shown('outer'), [[only('198.51.100.1')], [only('198.51.100.1'), only('198.51.100.0')]]);
    assert.equal(run({ rolesInfo: 'outer' }).roles[0].authenticationRestrictions, undefined);

    const authenticationRestrictions = only('198.51.100.2');
    run({ createUser: 'ann', pwd: 'x', roles: ['middle'], authenticationRestrictions });
    const user = (more: object) => run({ usersInfo: 'ann', ...more }).users[0];
    const full = user({ showAuthenticationRestrictions: true });
    assert.deepEqual(full.authenticationRestrictions, authenticationRestrictions);
    assert.deepEqual(full.inheritedAuthenticationRestrictions, [only('198.51.100.0')]);
    assert.equal(full.inheritedRoles.length, 3);
    assert.deepEqual(user({ showPrivileges: true }).inheritedAuthenticationRestrictions, [
      only('198.51.100.0'),
    ]);
    assert.equal(user({ showPrivileges: true }).authenticationRestrictions, undefined);
    assert.equal(user({}).inheritedAuthenticationRestrictions, undefined);
  });

  it('describes the roles of the caller', () => {
    assert.equal(cluster.run({ rolesInfo: 'read', $db: 'shop' }, { user: bob }).ok, 1);
    assert.equal(cluster.run({ rolesInfo: 'readWrite', $db: 'shop' }, { user: bob }).code, 13);
  });
});
