import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { RoleGrant } from '../interface/engine.ts';
import { Accounts } from './accounts.ts';
import type { Privilege } from './privilege.ts';

const user = (...roles: RoleGrant[]) => ({ username: 'ada', database: 'admin', roles });
const admin = (role: string) => user({ role, database: 'admin' });

const accounts = new Accounts();
accounts.configure(
  [],
  [
    {
      role: 'clerk',
      database: 'admin',
      privileges: [
        { actions: ['insert'], resource: { db: 'shop', collection: 'orders' } },
        { actions: ['serverStatus'], resource: { cluster: true } },
      ],
      roles: [{ role: 'read', database: 'shop' }],
    },
    {
      role: 'keeper',
      database: 'admin',
      privileges: [{ actions: ['find'], resource: { db: 'shop', system_buckets: 'sales' } }],
      roles: [],
    },
    { role: 'head', database: 'admin', privileges: [], roles: [{ role: 'clerk', database: 'admin' }] },
  ],
);
const authorize: typeof accounts.allows = (caller, needed) => accounts.allows(caller, needed);

type Case = readonly [who: string, ReturnType<typeof user>, Privilege, allowed: boolean];
const find = (database: string, collection: string): Privilege => ({ action: 'find', database, collection });
const insert = (database: string, collection: string): Privilege => ({
  action: 'insert',
  database,
  collection,
});

const read = user({ role: 'read', database: 'shop' });
const readOne = user({ role: 'read', database: 'shop', collection: 'orders' });

const cases: readonly Case[] = [
  ['read', read, find('shop', 'orders'), true],
  ['read', read, find('shop', 'system.views'), false],
  ['read', read, find('shop', 'system.js'), true],
  ['read', read, find('other', 'orders'), false],
  ['read', read, insert('shop', 'orders'), false],
  ['read', read, { action: 'listCollections', database: 'shop', collection: '' }, true],
  ['read', read, { action: 'listDatabases' }, false],
  ['read on one collection', readOne, find('shop', 'orders'), true],
  ['read on one collection', readOne, find('shop', 'people'), false],
  ['read on one collection', readOne, { action: 'listCollections', database: 'shop' }, false],
  ['readWrite', user({ role: 'readWrite', database: 'shop' }), insert('shop', 'orders'), true],
  [
    'readWrite',
    user({ role: 'readWrite', database: 'shop' }),
    { action: 'dropDatabase', database: 'shop' },
    false,
  ],
  ['dbAdmin', user({ role: 'dbAdmin', database: 'shop' }), find('shop', 'orders'), false],
  ['dbAdmin', user({ role: 'dbAdmin', database: 'shop' }), find('shop', 'system.profile'), true],
  [
    'dbAdmin',
    user({ role: 'dbAdmin', database: 'shop' }),
    { action: 'dropDatabase', database: 'shop' },
    true,
  ],
  ['readAnyDatabase', admin('readAnyDatabase'), find('shop', 'orders'), true],
  ['readAnyDatabase', admin('readAnyDatabase'), find('local', 'oplog.rs'), false],
  ['readAnyDatabase', admin('readAnyDatabase'), { action: 'listDatabases' }, true],
  [
    'readAnyDatabase elsewhere',
    user({ role: 'readAnyDatabase', database: 'shop' }),
    find('shop', 'a'),
    false,
  ],
  ['readWriteAnyDatabase', admin('readWriteAnyDatabase'), insert('shop', 'orders'), true],
  ['readWriteAnyDatabase', admin('readWriteAnyDatabase'), insert('config', 'settings'), false],
  ['clusterMonitor', admin('clusterMonitor'), { action: 'serverStatus' }, true],
  ['clusterMonitor', admin('clusterMonitor'), find('shop', 'orders'), false],
  ['clusterMonitor', admin('clusterMonitor'), find('local', 'oplog.rs'), true],
  ['clusterMonitor', admin('clusterMonitor'), find('config', 'system.js'), true],
  ['clusterManager', admin('clusterManager'), insert('local', 'things'), true],
  ['clusterManager', admin('clusterManager'), find('local', 'oplog.rs'), false],
  ['clusterManager', admin('clusterManager'), find('config', 'settings'), true],
  [
    'clusterManager',
    admin('clusterManager'),
    { action: 'createCollection', database: 'config', collection: 'things' },
    false,
  ],
  ['backup', admin('backup'), insert('config', 'settings'), true],
  ['backup', admin('backup'), { action: 'setUserWriteBlockMode' }, true],
  ['restore', admin('restore'), find('admin', 'system.users'), true],
  ['restore', admin('restore'), find('shop', 'orders'), false],
  ['backup', admin('backup'), find('local', 'oplog.rs'), true],
  ['backup', admin('backup'), insert('shop', 'orders'), false],
  ['enableSharding', admin('enableSharding'), { action: 'enableSharding', database: 'shop' }, true],
  [
    'enableSharding of a database',
    user({ role: 'enableSharding', database: 'crm' }),
    { action: 'enableSharding', database: 'shop' },
    true,
  ],
  ['platformAdmin', admin('platformAdmin'), insert('shop', 'orders'), true],
  ['platformAdmin', admin('platformAdmin'), find('local', 'oplog.rs'), true],
  ['platformAdmin', admin('platformAdmin'), find('admin', 'system.version'), true],
  ['platformAdmin', admin('platformAdmin'), find('shop', 'system.views'), true],
  ['platformAdmin', admin('platformAdmin'), insert('admin', 'system.version'), false],
  ['platformAdmin', admin('platformAdmin'), find('admin', 'system.users'), false],
  ['platformAdmin', admin('platformAdmin'), find('admin', 'system.roles'), false],
  ['backup', admin('backup'), find('admin', 'system.users'), true],
  ['platformAdmin', admin('platformAdmin'), insert('admin', 'system.users'), false],
  ['platformAdmin', admin('platformAdmin'), { action: 'shutdown' }, false],
  [
    'userAdmin',
    user({ role: 'userAdmin', database: 'shop' }),
    { action: 'createUser', database: 'shop' },
    true,
  ],
  [
    'userAdmin',
    user({ role: 'userAdmin', database: 'shop' }),
    { action: 'createUser', database: 'crm' },
    false,
  ],
  ['dbOwner', user({ role: 'dbOwner', database: 'shop' }), insert('shop', 'orders'), true],
  [
    'dbOwner',
    user({ role: 'dbOwner', database: 'shop' }),
    { action: 'dropDatabase', database: 'shop' },
    true,
  ],
  ['clusterAdmin', admin('clusterAdmin'), { action: 'replSetConfigure' }, true],
  ['clusterAdmin', admin('clusterAdmin'), find('shop', 'orders'), false],
  ['hostManager', admin('hostManager'), { action: 'logRotate' }, true],
  ['restore', admin('restore'), insert('shop', 'orders'), true],
  ['restore', admin('restore'), { action: 'bypassWriteBlockingMode' }, true],
  ['backup', admin('backup'), find('shop', 'system.buckets.sales'), true],
  ['backup', admin('backup'), insert('shop', 'system.buckets.sales'), false],
  ['restore', admin('restore'), insert('shop', 'system.buckets.sales'), true],
  ['platformAdmin', admin('platformAdmin'), insert('shop', 'system.buckets.sales'), true],
  ['platformAdmin', admin('platformAdmin'), find('shop', 'system.buckets.sales'), true],
  ['readWriteAnyDatabase', admin('readWriteAnyDatabase'), find('shop', 'system.buckets.sales'), false],
  ['readWrite', user({ role: 'readWrite', database: 'shop' }), find('shop', 'system.buckets.sales'), false],
  ['dbAdmin', user({ role: 'dbAdmin', database: 'shop' }), find('shop', 'system.buckets.sales'), false],
  [
    'dbAdmin',
    user({ role: 'dbAdmin', database: 'shop' }),
    { action: 'validate', database: 'shop', collection: 'system.buckets.sales' },
    true,
  ],
  ['a custom role for buckets', admin('keeper'), find('shop', 'system.buckets.sales'), true],
  ['a custom role for buckets', admin('keeper'), find('shop', 'system.buckets.stock'), false],
  ['a custom role for buckets', admin('keeper'), find('other', 'system.buckets.sales'), false],
  ['a custom role for buckets', admin('keeper'), find('shop', 'sales'), false],
  ['root', admin('root'), insert('admin', 'system.users'), true],
  ['root', admin('root'), { action: 'bypassWriteBlockingMode' }, false],
  ['__system', admin('__system'), { action: 'bypassWriteBlockingMode' }, true],
  ['a custom role', admin('clerk'), insert('shop', 'orders'), true],
  ['a custom role', admin('clerk'), insert('shop', 'people'), false],
  ['a custom role', admin('clerk'), find('shop', 'people'), true],
  ['a custom role', admin('clerk'), { action: 'serverStatus' }, true],
  ['a custom role that inherits', admin('head'), insert('shop', 'orders'), true],
  ['a role that does not exist', admin('constructor'), find('shop', 'orders'), false],
  ['no role', user(), find('shop', 'orders'), false],
];

suite('accounts', () => {
  for (const [who, caller, privilege, allowed] of cases) {
    test(`${who} ${allowed ? 'may' : 'may not'} ${JSON.stringify(privilege)}`, () => {
      assert.equal(authorize(caller, [privilege]), allowed);
    });
  }

  test('all needed privileges are required, not just one', () => {
    assert.equal(authorize(read, [find('shop', 'a'), insert('shop', 'a')]), false);
    const both = user({ role: 'read', database: 'a' }, { role: 'readWrite', database: 'b' });
    assert.equal(authorize(both, [find('a', 'x'), insert('b', 'y')]), true);
  });

  test('without a user nothing is granted', () => {
    assert.equal(authorize(undefined, [find('shop', 'orders')]), false);
    assert.equal(authorize(undefined, []), false);
    assert.equal(authorize(user(), []), true);
  });
});
