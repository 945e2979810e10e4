import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { MongoClient } from 'mongodb';
import { customerCertificate } from './support/customer-certificate.ts';
import { allowAccess, LONG_TIMEOUTS } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import type { Reply } from './support/http.ts';
import { scopeOf } from './support/service.ts';
import { openSetup, type Setup } from './support/setups.ts';
import { idIn, idle, type ListDocument, newCluster, newProject } from './support/stage.ts';

const V2 = '2023-01-01';
const managed = {
  username: 'Ada, of ships',
  databaseName: '$external',
  x509Type: 'MANAGED',
  roles: [{ roleName: 'readWrite', databaseName: 'harbour' }],
};
const SUBJECT = 'CN=Ada\\, of ships';

describe('certificates of database users (SQLite, one instance)', () => {
  const setup = {} as Setup;
  const scope = scopeOf({ after });
  let project = '';
  let url = '';
  before(async () => {
    Object.assign(
      setup,
      await openSetup(scope, 'SQLite, one instance', { settings: { 'engine-tls': true } }),
    );
    project = await newProject(setup);
    // Create the user before the cluster, so that the cluster starts with it.
    expectStatus(await setup.owner.post(`${project}/databaseUsers`, managed), 201);
    const cluster = await newCluster(setup, project, 'Quay');
    await allowAccess(setup, project, cluster);
    const document = await idle(setup.owner, cluster);
    url = (document.connectionStrings as unknown as { standard: string }).standard;
  });
  const certsOf = (username: string) => `${project}/databaseUsers/${encodeURIComponent(username)}/certs`;
  const certs = () => certsOf(managed.username);

  async function issue(body = {}): Promise<string> {
    const reply = await setup.owner.post(certs(), body);
    assert.equal(reply.status, 201, reply.text);
    setup.keepOutOfLogs(reply.text.split('\n').at(-4) ?? '');
    return reply.text;
  }

  function driver(pem: string): MongoClient {
    const [{ authority } = { authority: undefined }] = setup.instances;
    return new MongoClient(url, {
      authMechanism: 'MONGODB-X509',
      authSource: '$external',
      ca: authority ?? '',
      cert: pem,
      key: pem,
      ...LONG_TIMEOUTS,
    });
  }

  test('a driver logs in with an issued certificate, which ends with its user', async () => {
    const pem = await issue();
    await using client = driver(pem);
    const ships = client.db('harbour').collection('ships');
    await ships.insertOne({ name: 'Beagle' });
    const { authInfo } = await client.db('harbour').command({ connectionStatus: 1 });
    assert.deepEqual(authInfo.authenticatedUsers, [{ user: SUBJECT, db: '$external' }]);

    expectStatus(
      await setup.owner.delete(`${project}/databaseUsers/$external/${encodeURIComponent(managed.username)}`),
      204,
    );
    expectStatus(await setup.owner.post(`${project}/databaseUsers`, managed), 201);
    const failed = () =>
      ships.countDocuments().then(
        () => undefined,
        ({ codeName }) => codeName,
      );
    await until('the end of the login', failed, (name) => name !== undefined);
    await using late = driver(pem);
    await assert.rejects(late.connect(), { code: 18 });
    assert.deepEqual(expectStatus<ListDocument>(await setup.owner.get(certs()), 200).results, []);
    const renewed = await issue();
    const works = async () => {
      await using again = driver(renewed);
      const count = again.db('harbour').collection('ships').countDocuments();
      return await count.catch(() => 0);
    };
    assert.equal(await until('the login of the new user', works, (count) => count > 0), 1);
  });

  test('certificates are listed without their keys, in both forms of the API', async () => {
    const before = expectStatus<ListDocument>(await setup.owner.get(certs()), 200).results.length;
    const certificate = new X509Certificate(await issue({ monthsUntilExpiration: 24 }));
    assert.equal(certificate.subject, SUBJECT);
    const { results } = expectStatus<ListDocument>(await setup.owner.get(certs()), 200);
    const {
      id,
      createdAt,
      notAfter,
      links: _,
      ...others
    } = results.at(-1) as Record<string, string | number | object>;
    assert.equal(results.length, before + 1);
    assert.deepEqual(others, { groupId: idIn(project), subject: SUBJECT });
    assert.equal(Number(`0x${certificate.serialNumber}`), id);
    assert.equal(Date.parse(certificate.validTo), Date.parse(String(notAfter)));
    assert.equal(
      new Date(String(notAfter)).getUTCFullYear(),
      new Date(String(createdAt)).getUTCFullYear() + 2,
    );

    const accept = { accept: `application/vnd.atlas.${V2}+json` };
    const path = `/api/atlas/v2${certs()}`;
    const listed = expectStatus<ListDocument>(await setup.owner.get(path, accept), 200).results;
    assert.deepEqual(listed.at(-1), {
      _id: id,
      createdAt,
      groupId: idIn(project),
      notAfter,
      subject: SUBJECT,
    });
  });

  test("a driver logs in with a certificate that the project's own authority has signed", async () => {
    const { authority, certificate, key } = await customerCertificate('O=Navy, CN=hopper');
    const customer = { ...managed, username: 'CN=hopper,O=Navy', x509Type: 'CUSTOMER' };
    expectStatus(await setup.owner.post(`${project}/databaseUsers`, customer), 201);
    const security = `${project}/userSecurity`;
    const bad = await setup.owner.patch(security, { customerX509: { cas: certificate } });
    expectFault(bad, 400, 'INVALID_ATTRIBUTE', ['customerX509.cas']);
    const accept = { accept: `application/vnd.atlas.${V2}+json` };
    const directory = { ldap: { hostname: 'ldap.example.org', authenticationEnabled: true } };
    const refused = await setup.owner.patch(`/api/atlas/v2${security}`, directory, accept);
    expectFault(refused, 400, 'INVALID_ATTRIBUTE', ['ldap.authenticationEnabled']);
    const shown = { authenticationEnabled: false, authorizationEnabled: false };
    const reply = await setup.owner.patch(
      `/api/atlas/v2${security}`,
      { customerX509: { cas: authority } },
      accept,
    );
    assert.deepEqual(expectStatus(reply, 202), { customerX509: { cas: authority }, ldap: shown });

    const count = (client: MongoClient) =>
      client
        .db('harbour')
        .collection('ships')
        .countDocuments()
        .then(
          () => 'works',
          ({ codeName }) => codeName,
        );
    const opened = async () => {
      await using client = driver(certificate + key);
      return await count(client);
    };
    assert.equal(await until('the login', opened, (result) => result === 'works'), 'works');
    await using client = driver(certificate + key);
    assert.equal(await count(client), 'works');
    expectStatus(await setup.owner.delete(`${security}/customerX509`), 200);
    await until(
      'the end of the login',
      () => count(client),
      (result) => result !== 'works',
    );
    assert.deepEqual(
      expectStatus<{ customerX509: object }>(await setup.owner.get(security), 200).customerX509,
      {},
    );
  });

  test('settings of a directory are kept, without the password', async () => {
    const security = `${project}/userSecurity`;
    const off = { authenticationEnabled: false, authorizationEnabled: false };
    const settings = {
      bindUsername: 'cn=admin,dc=example,dc=org',
      hostname: 'ldap.example.org',
      port: 636,
      userToDNMapping: [{ match: '(.+)@example[.]org', substitution: 'cn={0},dc=example,dc=org' }],
    };
    const bindPassword = 'never shown 1';
    setup.keepOutOfLogs(bindPassword);
    const ldapOf = (reply: Reply) => expectStatus<{ ldap: object }>(reply, 200).ldap;
    const patched = await setup.owner.patch(security, { ldap: { ...off, ...settings, bindPassword } });
    assert.deepEqual(ldapOf(patched), { ...off, ...settings });
    assert.deepEqual(ldapOf(await setup.owner.patch(security, { ldap: { port: 1636 } })), {
      ...off,
      ...settings,
      port: 1636,
    });
    const { userToDNMapping: _, ...others } = settings;
    const removed = await setup.owner.delete(`${security}/ldap/userToDNMapping`);
    assert.deepEqual(ldapOf(removed), { ...off, ...others, port: 1636 });
    assert.deepEqual(ldapOf(await setup.owner.get(security)), { ...off, ...others, port: 1636 });
  });

  test('certificates are issued only for users that the service manages', async () => {
    const users = `${project}/databaseUsers`;
    const customer = { ...managed, username: 'CN=grace', x509Type: 'CUSTOMER' };
    expectStatus(await setup.owner.post(users, customer), 201);
    expectFault(await setup.owner.post(certsOf('CN=grace'), {}), 400, 'USER_NOT_MANAGED_X509', ['CN=grace']);
    expectFault(await setup.owner.post(certsOf('nobody'), {}), 404, 'USERNAME_NOT_FOUND', ['nobody']);
    const long = await setup.owner.post(certs(), { monthsUntilExpiration: 25 });
    expectFault(long, 400, 'CERT_EXPIRY_CANNOT_EXCEED_TWO_YEARS', []);
    // On the nodes, this user would have the same name as the other one.
    const same = await setup.owner.post(users, { ...managed, username: 'grace' });
    expectFault(same, 409, 'USER_ALREADY_EXISTS', ['grace']);
  });
});
