import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { admin, TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
});
after(() => cluster.remove());

describe('diagnostic commands', () => {
  it('ping succeeds', () => {
    assert.deepEqual(cluster.run({ ping: 1 }), { ok: 1 });
  });

  it('buildInfo returns the version of the cluster', () => {
    const { version, versionArray, maxBsonObjectSize, bits } = cluster.run({ buildInfo: 1 });
    assert.deepEqual(
      { version, versionArray, maxBsonObjectSize, bits },
      { version: '8.0.29', versionArray: [8, 0, 29, 0], maxBsonObjectSize: 16_777_216, bits: 64 },
    );
    assert.equal(cluster.run({ buildinfo: 1 }).version, version);
    assert.equal(cluster.run({ buildInfo: 1, foo: 1 }).code, 40415);
  });

  it('whatsmyuri returns the address of the caller', () => {
    assert.deepEqual(cluster.run({ whatsmyuri: 1 }), { you: '127.0.0.1:50000', ok: 1 });
  });

  it('connectionStatus returns the authenticated user and its roles', () => {
    assert.deepEqual(cluster.run({ connectionStatus: 1 }), {
      authInfo: {
        authenticatedUsers: [{ user: 'alice', db: 'admin' }],
        authenticatedUserRoles: [{ role: 'platformAdmin', db: 'admin' }],
      },
      ok: 1,
    });
    assert.deepEqual(cluster.run({ connectionStatus: 1 }, { user: null }).authInfo, {
      authenticatedUsers: [],
      authenticatedUserRoles: [],
    });
  });

  it('connectionStatus returns the privileges of the roles on request', () => {
    const user = { ...admin, roles: [{ role: 'read', database: 'shop' }] };
    const { authInfo } = cluster.run({ connectionStatus: 1, showPrivileges: true }, { user });
    const [{ resource, actions }] = authInfo.authenticatedUserPrivileges;
    assert.deepEqual(resource, { db: 'shop', collection: '' });
    assert.ok(actions.includes('find'));
  });
});
