import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { MongoClient } from 'mongodb';
import { allowAccess, driverFor, expectRefused, newUser, openLine, SAILOR } from './support/drivers.ts';
import { expectStatus, until } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { applied, idle, newCluster, newProject } from './support/stage.ts';

const UNAUTHORIZED = { code: 13, codeName: 'Unauthorized' };
const WRONG_LOGIN = { code: 18, codeName: 'AuthenticationFailed' };

const ports = (driver: MongoClient) => driver.db('harbour').collection('ports');
const auth = (username: string, password = SAILOR.password) => ({ auth: { username, password } });

onOneSetup('SQLite, one instance', 'access of drivers', (setup) => {
  /** Creates a cluster to which the user `sailor` has access from this machine, with all privileges. */
  async function open() {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'fleet');
    await allowAccess(setup, project, cluster);
    return { project, cluster };
  }

  async function connect(t: TestContext, cluster: string, options = {}): Promise<MongoClient> {
    const driver = await driverFor(setup, cluster, options);
    t.after(() => driver.close());
    return driver;
  }

  test('rejects connections from unlisted addresses', async (t) => {
    const { project, cluster } = await open();
    const driver = await connect(t, cluster);
    await ports(driver).insertOne({ name: 'Riga' });
    const document = await idle(setup.owner, cluster);
    const line = await openLine(document);
    expectStatus(await setup.owner.delete(`${project}/accessList/127.0.0.1`), 204);
    await applied(setup.owner, cluster);
    await line.ended;
    await expectRefused(document.connectionStrings.standard);
    expectStatus(await setup.owner.post(`${project}/accessList`, [{ cidrBlock: '127.0.0.0/8' }]), 201);
    await applied(setup.owner, cluster);
    assert.equal((await ports(driver).findOne({}))?.name, 'Riga');
  });

  test('wrong credentials are rejected, and nothing works before authentication', async (t) => {
    const { cluster } = await open();
    await assert.rejects(driverFor(setup, cluster, auth('sailor', 'a wrong password')), WRONG_LOGIN);
    await assert.rejects(driverFor(setup, cluster, auth('stowaway')), WRONG_LOGIN);
    for (const authMechanism of ['SCRAM-SHA-1', 'SCRAM-SHA-256'] as const) {
      await (await connect(t, cluster, { authMechanism })).db('harbour').command({ ping: 1 });
    }
    const anonymous = await connect(t, cluster, { auth: undefined });
    await anonymous.db('admin').command({ ping: 1 });
    await assert.rejects(ports(anonymous).findOne({}), { code: 13, codeName: 'Unauthorized' });
    await assert.rejects(ports(anonymous).insertOne({}), { code: 13 });
  });

  test('a role grants exactly its privileges, and its changes apply to open connections', async (t) => {
    const { project, cluster } = await open();
    const read = { roleName: 'read', databaseName: 'harbour' };
    const one = { roleName: 'readWrite', databaseName: 'harbour', collectionName: 'logs' };
    await newUser(setup, project, 'mate', { roles: [read, one] });
    await applied(setup.owner, cluster);
    const driver = await connect(t, cluster, auth('mate'));
    assert.equal(await ports(driver).findOne({}), null);
    await driver.db('harbour').collection('logs').insertOne({ day: 1 });
    await assert.rejects(ports(driver).insertOne({}), UNAUTHORIZED);
    await assert.rejects(driver.db('other').collection('ports').findOne({}), UNAUTHORIZED);
    const roles = [{ roleName: 'readWrite', databaseName: 'harbour' }];
    expectStatus(await setup.owner.patch(`${project}/databaseUsers/admin/mate`, { roles }), 200);
    await applied(setup.owner, cluster);
    await ports(driver).insertOne({ name: 'Ventspils' });
    expectStatus(await setup.owner.delete(`${project}/databaseUsers/admin/mate`), 204);
    await applied(setup.owner, cluster);
    await assert.rejects(ports(driver).findOne({}), UNAUTHORIZED);
    await assert.rejects(driverFor(setup, cluster, auth('mate')), WRONG_LOGIN);
  });

  test('a new password is required at the next login', async (t) => {
    const { project, cluster } = await open();
    const password = 'a sextant and a log';
    expectStatus(await setup.owner.patch(`${project}/databaseUsers/admin/sailor`, { password }), 200);
    await applied(setup.owner, cluster);
    await assert.rejects(driverFor(setup, cluster), WRONG_LOGIN);
    await ports(await connect(t, cluster, auth('sailor', password))).insertOne({});
  });

  test('a user with one cluster in its scope cannot log in to another, and each cluster has its own data', async (t) => {
    const { project, cluster } = await open();
    const other = await newCluster(setup, project, 'other');
    await newUser(setup, project, 'bound', { scopes: [{ name: 'other', type: 'CLUSTER' }] });
    await applied(setup.owner, cluster);
    await applied(setup.owner, other);
    await assert.rejects(driverFor(setup, cluster, auth('bound')), WRONG_LOGIN);
    const there = await connect(t, other, auth('bound'));
    await ports(there).insertOne({ name: 'Liepaja' });
    assert.equal(await ports(await connect(t, cluster)).countDocuments({}), 0);
  });

  test('users cannot be managed by commands; unknown commands are reported', async (t) => {
    const { cluster } = await open();
    const driver = await connect(t, cluster);
    const admin = driver.db('admin');
    await assert.rejects(admin.command({ createUser: 'x', pwd: 'y', roles: [] }), {
      code: 8000,
      message: /CMD_NOT_ALLOWED: createUser/,
    });
    await assert.rejects(admin.command({ sail: 1 }), { code: 59, codeName: 'CommandNotFound' });
    await assert.rejects(
      ports(driver)
        .find({ a: { $sail: 1 } })
        .toArray(),
      { code: 2 },
    );
    const status = await admin.command({ connectionStatus: 1 });
    assert.deepEqual(status.authInfo.authenticatedUsers, [{ user: 'sailor', db: 'admin' }]);
  });

  test('existing users can log in to a new cluster', async (t) => {
    const { project } = await open();
    const late = await newCluster(setup, project, 'late');
    await until(
      'APPLIED',
      () => setup.owner.get(`${late}/status`),
      (reply) => reply.json().changeStatus === 'APPLIED',
    );
    await ports(await connect(t, late)).insertOne({});
  });
});
