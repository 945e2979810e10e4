import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { type Document, MongoClient } from 'mongodb';
import { adopt, DEPLOYMENTS } from './support/adopted-cluster.ts';
import { ADMINISTRATOR, type OtherServer, otherServer } from './support/adopted-engine.ts';
import { customerCertificate } from './support/customer-certificate.ts';
import { LONG_TIMEOUTS } from './support/drivers.ts';
import { expectStatus } from './support/expect.ts';
import {
  cutOver,
  digestsOf,
  fillSource,
  linked,
  migrate,
  migrationBody,
  newTarget,
  READER,
  reportedProject,
  type SourceCluster,
  sourceCluster,
  targetDriver,
  untilReady,
  validated,
} from './support/migrations.ts';
import { type Scope, scopeOf } from './support/service.ts';
import { openSetup, own } from './support/setups.ts';
import { idIn, idle, newProject } from './support/stage.ts';

const scope: Scope = scopeOf({ after });
let source: SourceCluster;

before(async () => {
  const origin = await openSetup(scope, 'SQLite, one instance');
  source = await sourceCluster(scope, origin, 'old');
  await fillSource(source.driver);
});

own.onOneSetup('SQLite, one instance', 'live migrations to and from adopted deployments', (setup) => {
  let projectId: string;
  let tls: Awaited<ReturnType<typeof customerCertificate>>;
  let server: OtherServer;
  let address: string;
  let administrator: MongoClient;
  /** A server without TLS, from which a migration copies, and its administrator. */
  let quay: OtherServer;
  let keeper: MongoClient;

  before(async () => {
    for (const secret of [READER.password, ADMINISTRATOR.pwd, encodeURIComponent(ADMINISTRATOR.pwd)])
      setup.keepOutOfLogs(secret);
    tls = await customerCertificate('CN=harbour', ['127.0.0.1']);
    server = await otherServer(scope, tls);
    // The migration host gets the authority from the service.
    address = server.uri.replace(/&tlsCAFile=.*$/, '');
    administrator = new MongoClient(server.uri, LONG_TIMEOUTS);
    quay = await otherServer(scope);
    keeper = new MongoClient(quay.uri, LONG_TIMEOUTS);
    await linked(scope, setup, [`fleet=${source.uri}`, `quay=${quay.uri}`]);
    ({ projectId } = await reportedProject(setup, 2));
  });
  after(() => Promise.all([administrator.close(), keeper.close()]));

  /** For one test, adopts a server as a cluster of a new project. Returns the path of the cluster. */
  async function adopted(t: TestContext, name: string, connectionString = address): Promise<string> {
    const project = await newProject(setup);
    const trust = connectionString === quay.uri ? {} : { caCertificate: tls.authority };
    const body = { groupId: idIn(project), name, connectionString, ...trust };
    const { id } = expectStatus<{ id: string }>(await adopt(setup, body), 201);
    t.after(() => setup.operator.delete(`${DEPLOYMENTS}/${id}`));
    await idle(setup.owner, `${project}/clusters/${name}`);
    return `${project}/clusters/${name}`;
  }

  const bodyFor = (target: string, name = 'fleet') => migrationBody(target, { projectId, name });

  test('a cluster is copied to an adopted deployment, and nothing else remains there', async (t) => {
    const target = await adopted(t, 'harbour');
    const body = bodyFor(target);
    const { status, errorMessage } = await validated(setup, target, body);
    assert.deepEqual([status, errorMessage], ['SUCCESS', null]);
    const path = await migrate(setup, target, body);
    await untilReady(setup, path);
    await source.driver.db('late').collection('changes').insertOne({ berth: 1 });
    await cutOver(setup, path);
    assert.deepEqual(await digestsOf(administrator), await digestsOf(source.driver));
    const { users } = await administrator.db('admin').command({ usersInfo: 1 });
    const left = (users as Document[]).filter(({ user }) => user.startsWith('live-migration'));
    assert.deepEqual(left, []);
    // The same collections are in the destination now.
    const again = await validated(setup, target, body);
    assert.match(String(again.errorMessage), /exists in the destination already/);
  });

  test('an adopted deployment is copied to a cluster of the service, and remains as it is', async (t) => {
    await fillSource(keeper);
    // The source must not have a later version than new clusters.
    await keeper.db('admin').command({ setFeatureCompatibilityVersion: '8.0', confirm: true });
    const cluster = await adopted(t, 'quay', quay.uri);
    const target = await newTarget(setup, 'berth');
    const path = await migrate(setup, target, bodyFor(target, 'quay'));
    await untilReady(setup, path);
    await keeper.db('late').collection('changes').insertOne({ berth: 1 });
    const before = await digestsOf(keeper);
    await cutOver(setup, path);
    const driver = await targetDriver(scopeOf(t), setup, target);
    assert.deepEqual(await digestsOf(driver), before);
    assert.deepEqual(await digestsOf(keeper), before);
    assert.equal((await idle(setup.owner, cluster)).stateName, 'IDLE');
  });

  test('a destination whose users the service may not manage is rejected with the reason', async (t) => {
    const roles = ['clusterMonitor', 'readWriteAnyDatabase', 'dbAdminAnyDatabase'];
    await administrator.db('admin').command({ createUser: 'mate', pwd: 'gangway', roles });
    const target = await adopted(t, 'outer', address.replace(/\/\/[^@]*@/, '//mate:gangway@'));
    const reply = await setup.owner.post(`${target.split('/clusters')[0]}/liveMigrations`, bodyFor(target));
    const { errorCode, parameters } = expectStatus<{ errorCode: string; parameters: string[] }>(reply, 400);
    const reason =
      'it is a standalone server, its servers have no transactions, or the user in the connection string may not write and drop all databases and manage users';
    assert.deepEqual([errorCode, parameters.at(-1)], ['NOT_SUPPORTED_BY_ENGINE', reason]);
  });
});
