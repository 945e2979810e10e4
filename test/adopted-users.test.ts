import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { type Document, MongoClient } from 'mongodb';
import { adopt, DEPLOYMENTS } from './support/adopted-cluster.ts';
import { ADMINISTRATOR, type OtherServer, otherServer } from './support/adopted-engine.ts';
import { LONG_TIMEOUTS } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { scopeOf } from './support/service.ts';
import { timed } from './support/setups.ts';
import { applied, gone, idIn, idle, moveClock, newProject } from './support/stage.ts';

const PASSWORDS = ['a lantern in the fog', 'two bells past noon'] as const;
const [FIRST, SECOND] = PASSWORDS;
const HOUR = 3_600_000;

const grant = (roleName: string, databaseName: string, collectionName?: string) => ({
  ...{ roleName, databaseName },
  ...(collectionName === undefined ? {} : { collectionName }),
});

interface Problem {
  readonly databaseName: string;
  readonly kind: string;
  readonly name: string;
  readonly problem: string;
}

timed.onOneSetup('PostgreSQL, two instances', 'users on adopted deployments', (setup) => {
  const scope = scopeOf({ after });
  let server: OtherServer;
  let administrator: MongoClient;
  before(async () => {
    server = await otherServer(scope);
    administrator = new MongoClient(server.uri, LONG_TIMEOUTS);
    for (const secret of [ADMINISTRATOR.pwd, ...PASSWORDS])
      for (const form of [secret, encodeURIComponent(secret)]) setup.keepOutOfLogs(form);
  });
  after(() => administrator.close());

  const run = (command: Document, database = 'admin') => administrator.db(database).command(command);
  const userNamed = async (name: string, database?: string): Promise<Document | undefined> =>
    (await run({ usersInfo: name }, database)).users[0];
  const roleNamed = async (name: string): Promise<Document | undefined> =>
    (await run({ rolesInfo: name, showPrivileges: true })).roles[0];

  /** For one test, adopts the server as a cluster of a new project. */
  async function adopted(t: TestContext, name: string, inProject?: string) {
    const project = inProject ?? (await newProject(setup));
    const body = { groupId: idIn(project), name, connectionString: server.uri };
    const { id } = expectStatus<{ id: string }>(await adopt(setup, body), 201);
    t.after(() => setup.operator.delete(`${DEPLOYMENTS}/${id}`));
    await idle(setup.owner, `${project}/clusters/${name}`);
    return { project, id, cluster: `${project}/clusters/${name}` };
  }

  const userPath = (project: string, username: string, database = 'admin') =>
    `${project}/databaseUsers/${encodeURIComponent(database)}/${encodeURIComponent(username)}`;

  const create = (project: string, username: string, more: object = {}) =>
    setup.owner.post(`${project}/databaseUsers`, {
      ...{ username, password: FIRST, databaseName: 'admin', roles: [grant('readWrite', 'harbour')] },
      ...more,
    });

  /**
   * Runs commands on the servers as a user. Returns the error code of each command, or 0 if it succeeds. If the login
   * fails, returns only its error code.
   */
  async function codesOf(username: string, password: string, ...commands: readonly Document[]) {
    const client = new MongoClient(`mongodb://${server.hosts.join(',')}/?replicaSet=engine`, {
      auth: { username, password },
      ...LONG_TIMEOUTS,
    });
    const codeIn = (error: { readonly code?: number }) => error.code;
    try {
      const refused = await client.connect().then(() => undefined, codeIn);
      if (refused !== undefined) return [refused];
      const codes = [];
      for (const { in: database, ...command } of commands)
        codes.push(
          await client
            .db(database)
            .command(command)
            .then(() => 0, codeIn),
        );
      return codes;
    } finally {
      await client.close();
    }
  }

  const insert = (database: string, collection: string) => ({
    insert: collection,
    documents: [{ n: 1 }],
    in: database,
  });
  const find = (database: string, collection: string) => ({ find: collection, in: database });
  const SHIPS = insert('harbour', 'ships');
  const FORBIDDEN = 13;
  const NO_LOGIN = 18;

  async function problemsOf(id: string): Promise<readonly Problem[]> {
    const reply = await setup.operator.get(`${DEPLOYMENTS}/${id}`);
    return expectStatus<{ accountProblems: Problem[] }>(reply, 200).accountProblems;
  }

  test('a user logs in to the servers with its roles, until it is deleted', async (t) => {
    const { project, cluster } = await adopted(t, 'pier');
    const roles = [grant('readWrite', 'harbour'), grant('read', 'sea', 'charts')];
    const made = await create(project, 'pilot', { roles });
    expectStatus(made, 201);
    assert.ok(!made.text.includes(FIRST));
    await applied(setup.owner, cluster);
    const commands = [SHIPS, find('sea', 'charts'), find('sea', 'depths'), insert('sea', 'charts')];
    const codes = (password: string) => codesOf('pilot', password, ...commands);
    assert.deepEqual(await codes(FIRST), [0, 0, FORBIDDEN, FORBIDDEN]);

    const path = userPath(project, 'pilot');
    const change = {
      password: SECOND,
      roles: [grant('read', 'harbour'), grant('readWrite', 'sea', 'charts')],
    };
    expectStatus(await setup.owner.patch(path, change), 200);
    await applied(setup.owner, cluster);
    assert.deepEqual(await codes(FIRST), [NO_LOGIN]);
    assert.deepEqual(await codes(SECOND), [FORBIDDEN, 0, FORBIDDEN, 0]);

    expectStatus(await setup.owner.delete(path), 204);
    await applied(setup.owner, cluster);
    assert.deepEqual(await codes(SECOND), [NO_LOGIN]);
    const own = (await run({ rolesInfo: 1 })).roles as readonly { readonly role: string }[];
    assert.deepEqual(
      own.filter(({ role }) => role.startsWith('portolan-')),
      [],
    );
  });

  test('custom roles are created before the roles and users that have them', async (t) => {
    const { project, cluster } = await adopted(t, 'dock');
    const roles = `${project}/customDBRoles/roles`;
    const action = (name: string, collection: string) => ({
      action: name,
      resources: [{ db: 'harbour', collection }],
    });
    const base = { roleName: 'crane', actions: [action('FIND', 'crates')], inheritedRoles: [] };
    expectStatus(await setup.owner.post(roles, base), 200);
    const top = { roleName: 'boss', actions: [], inheritedRoles: [{ role: 'crane', db: 'admin' }] };
    expectStatus(await setup.owner.post(roles, top), 200);
    expectStatus(await create(project, 'docker', { roles: [grant('boss', 'admin')] }), 201);
    await applied(setup.owner, cluster);
    const codes = () => codesOf('docker', FIRST, find('harbour', 'crates'), insert('harbour', 'crates'));
    assert.deepEqual(await codes(), [0, FORBIDDEN]);
    const wider = { actions: [action('FIND', 'crates'), action('INSERT', 'crates')] };
    expectStatus(await setup.owner.patch(`${roles}/crane`, wider), 200);
    await applied(setup.owner, cluster);
    assert.deepEqual(await codes(), [0, 0]);
    expectStatus(await setup.owner.delete(userPath(project, 'docker')), 204);
    for (const name of ['boss', 'crane']) expectStatus(await setup.owner.delete(`${roles}/${name}`), 204);
    await applied(setup.owner, cluster);
    assert.deepEqual([await roleNamed('boss'), await roleNamed('crane')], [undefined, undefined]);
  });

  test('users and roles of others are never changed', async (t) => {
    await run({ createUser: 'keeper', pwd: 'light the lamp', roles: [] });
    await run({ createRole: 'watch', privileges: [], roles: [] });
    const before = [await userNamed('keeper'), await roleNamed('watch')];
    // Create the users before the deployment is adopted. Otherwise, the service would reject the request for a name
    // that exists on the servers.
    const project = await newProject(setup);
    for (const name of ['keeper', 'mate']) expectStatus(await create(project, name), 201);
    const { id, cluster } = await adopted(t, 'beacon', project);
    await applied(setup.owner, cluster);
    const problems = await problemsOf(id);
    assert.deepEqual(
      problems.map(({ databaseName, kind, name }) => [databaseName, kind, name]),
      [
        ['admin', 'USER', 'keeper'],
        ['admin', 'USER', 'mate'],
      ],
    );
    assert.match(problems[0]?.problem ?? '', /^another client has created a user with this name/);
    assert.match(problems[1]?.problem ?? '', /set the password again$/);

    expectStatus(await setup.owner.patch(userPath(project, 'mate'), { password: SECOND }), 200);
    expectStatus(await setup.owner.delete(userPath(project, 'keeper')), 204);
    await applied(setup.owner, cluster);
    assert.deepEqual(await problemsOf(id), []);
    assert.deepEqual(await codesOf('mate', SECOND, SHIPS), [0]);
    expectStatus(await setup.operator.delete(`${DEPLOYMENTS}/${id}`), 204);

    const other = await adopted(t, 'tower');
    expectFault(await create(other.project, 'keeper'), 409, 'USERNAME_TAKEN_ON_SERVERS', ['keeper', 'tower']);
    const role = { roleName: 'watch', actions: [], inheritedRoles: [grantedRole] };
    const reply = await setup.owner.post(`${other.project}/customDBRoles/roles`, role);
    expectFault(reply, 409, 'ROLE_NAME_TAKEN_ON_SERVERS', ['watch', 'tower']);
    assert.deepEqual([await userNamed('keeper'), await roleNamed('watch')], before);
  });

  test('scopes, certificates and temporary users are respected', async (t) => {
    const { project, cluster, id } = await adopted(t, 'lock');
    const certificate = { password: undefined, databaseName: '$external' };
    const customer = { ...certificate, x509Type: 'CUSTOMER' };
    const managed = { ...certificate, x509Type: 'MANAGED' };
    const temporary = { deleteAfterDate: new Date((await now()) + HOUR).toISOString() };
    expectStatus(await create(project, 'CN=grace,O=Navy', customer), 201);
    expectStatus(await create(project, 'CN=ada,O=Navy', managed), 201);
    expectStatus(await create(project, 'elsewhere', { scopes: [{ name: 'other', type: 'CLUSTER' }] }), 201);
    expectStatus(await create(project, 'guest', temporary), 201);
    await applied(setup.owner, cluster);
    assert.deepEqual((await userNamed('CN=grace,O=Navy', '$external'))?.roles, [
      { role: 'readWrite', db: 'harbour' },
    ]);
    assert.equal(await userNamed('elsewhere'), undefined);
    assert.deepEqual(await codesOf('guest', FIRST, SHIPS), [0]);
    const [problem, ...rest] = await problemsOf(id);
    assert.deepEqual([problem?.name, rest], ['CN=ada,O=Navy', []]);
    assert.match(problem?.problem ?? '', /do not trust the authority of the service$/);
    await moveClock(setup, (2 * HOUR) / 1000);
    await until(
      'no guest',
      () => userNamed('guest'),
      (found) => found === undefined,
    );
  });

  async function now(): Promise<number> {
    const reply = await setup.operator.get('/operator/v1/clock');
    return Date.parse(expectStatus<{ now: string }>(reply, 200).now);
  }

  test('a deployment that was unreachable gets the changes when it responds again', async (t) => {
    const { project, cluster } = await adopted(t, 'ferry');
    expectStatus(await create(project, 'leaver'), 201);
    await applied(setup.owner, cluster);
    await server.kill();
    try {
      const state = async () => String(expectStatus(await setup.owner.get(cluster), 200).stateName);
      await until('REPAIRING', state, (found) => found === 'REPAIRING');
      expectStatus(await create(project, 'joiner'), 201);
      expectStatus(await setup.owner.delete(userPath(project, 'leaver')), 204);
      const { changeStatus } = expectStatus(await setup.owner.get(`${cluster}/status`), 200);
      assert.equal(changeStatus, 'PENDING');
    } finally {
      await server.start();
    }
    await idle(setup.owner, cluster);
    await applied(setup.owner, cluster);
    assert.deepEqual(await codesOf('joiner', FIRST, SHIPS), [0]);
    assert.deepEqual(await codesOf('leaver', FIRST, SHIPS), [NO_LOGIN]);
  });

  test('the reason is shown while users cannot be applied', async (t) => {
    const { project, cluster, id } = await adopted(t, 'reef');
    const fail = (mode: string) =>
      run({
        configureFailPoint: 'failCommand',
        mode,
        data: { failCommands: ['createUser'], errorCode: 50, appName: 'Portolan' },
      });
    await fail('alwaysOn');
    t.after(() => fail('off'));
    expectStatus(await create(project, 'waiter'), 201);
    const problem = async () =>
      expectStatus<{ accessProblem?: string }>(await setup.operator.get(`${DEPLOYMENTS}/${id}`), 200)
        .accessProblem;
    await until('the reason', problem, (found = '') => /fail/i.test(found));
    await fail('off');
    await applied(setup.owner, cluster);
    await until('no reason', problem, (found) => found === undefined);
    assert.deepEqual(await codesOf('waiter', FIRST, SHIPS), [0]);
  });

  test('users stay on the servers when the deployment is released', async (t) => {
    const { project, cluster, id } = await adopted(t, 'quay');
    expectStatus(await create(project, 'stayer'), 201);
    await applied(setup.owner, cluster);
    expectStatus(await setup.operator.delete(`${DEPLOYMENTS}/${id}`), 204);
    await gone(setup.owner, cluster);
    assert.deepEqual(await codesOf('stayer', FIRST, SHIPS), [0]);
    // After the deployment is adopted again, the servers have a user that is no longer in the service.
    const again = await adopted(t, 'again', project);
    await applied(setup.owner, again.cluster);
    assert.deepEqual(
      (await problemsOf(again.id)).map(({ name }) => name),
      ['stayer'],
    );
  });
});

const grantedRole = { role: 'read', db: 'harbour' };
