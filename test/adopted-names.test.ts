import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { adopt } from './support/adopted-cluster.ts';
import { customerCertificate } from './support/customer-certificate.ts';
import { allowAccess, newUser } from './support/drivers.ts';
import { expectStatus } from './support/expect.ts';
import { freePort } from './support/ports.ts';
import { scopeOf } from './support/service.ts';
import { openSetup, type Setup } from './support/setups.ts';
import { type ClusterDocument, idIn, idle, newCluster, newProject } from './support/stage.ts';

/** The roles that a service user needs. */
const roles = ['clusterMonitor', 'readAnyDatabase'].map((roleName) => ({ roleName, databaseName: 'admin' }));

const srvOf = ({ connectionStrings }: ClusterDocument) =>
  (connectionStrings as unknown as { readonly standardSrv?: string }).standardSrv ?? '';

describe('adopted deployments with SRV names and client certificates (SQLite, one instance)', () => {
  const scope = scopeOf({ after });
  /**
   * The service that adopts, and the service whose cluster it adopts. Only the name server of the second service knows
   * the names of the cluster.
   */
  const setup = {} as Setup;
  const other = {} as Setup;
  before(async () => {
    const server = `127.0.0.1:${await freePort()}`;
    const named = { domain: 'origin.test', 'dns-listen': server, 'engine-tls': true };
    Object.assign(other, await openSetup(scope, 'SQLite, one instance', { settings: named }));
    Object.assign(
      setup,
      await openSetup(scope, 'SQLite, one instance', { settings: { 'dns-servers': server } }),
    );
  });

  test('the name of a cluster is resolved, and the user logs in with a certificate', async () => {
    const project = await newProject(other);
    const path = await newCluster(other, project, 'origin');
    const { authority, certificate, key } = await customerCertificate('CN=keeper');
    const user = { password: undefined, databaseName: '$external', x509Type: 'CUSTOMER', roles };
    await newUser(other, project, 'CN=keeper', user);
    const security = await other.owner.patch(`${project}/userSecurity`, { customerX509: { cas: authority } });
    assert.ok(security.status < 300, security.text);
    await allowAccess(other, project, path);
    const srv = srvOf(await idle(other.owner, path));
    assert.match(srv, /^mongodb\+srv:\/\/origin\.\w+\.origin\.test$/);

    const groupId = idIn(await newProject(setup));
    const body = {
      ...{ groupId, name: 'origin' },
      connectionString: `${srv}/?authMechanism=MONGODB-X509&authSource=%24external`,
      caCertificate: await readFile(other.bootstrap.caCertificate ?? '', 'utf8'),
    };
    const without = expectStatus<{ parameters: string[] }>(await adopt(setup, body), 400);
    assert.match(String(without.parameters), /certificate|x509|auth/i);
    const unknown = { ...body, connectionString: body.connectionString.replace('origin.', 'lost.') };
    const lost = expectStatus<{ parameters: string[] }>(await adopt(setup, unknown), 400);
    assert.match(String(lost.parameters), /SRV record _mongodb\._tcp\.lost\.\S+ cannot be resolved/);

    expectStatus(await adopt(setup, { ...body, clientCertificate: certificate + key }), 201);
    const cluster = await idle(setup.owner, `/groups/${groupId}/clusters/origin`);
    assert.equal(srvOf(cluster), srv);
    assert.match(String(cluster.connectionStrings.standard), /^mongodb:\/\/\S+\.origin\.test:\d+,/);
  });
});
