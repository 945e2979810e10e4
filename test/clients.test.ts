import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import * as oauth from 'openid-client';
import { LONG_TIMEOUTS, SAILOR } from './support/drivers.ts';
import { until } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import {
  type ClusterDocument,
  clusterBody,
  type ListDocument,
  newProject,
  type ProjectDocument,
  uniqueName,
} from './support/stage.ts';

/** Unmodified clients, which get only an address, credentials and the certificate of the authority. */

const connectApi = createRequire(import.meta.url)(
  'mongodb-atlas-api-client',
) as typeof import('mongodb-atlas-api-client').default;

const run = promisify(execFile);

onOneSetup('SQLite, one instance', 'clients', (setup) => {
  before(() => {
    const authorities = setup.instances.map(({ authority }) => authority ?? '');
    setDefaultCACertificates([...getCACertificates('default'), ...authorities]);
  });

  /** Runs `curl --digest`. Returns the status and the document. */
  async function curl(path: string, ...options: string[]): Promise<[status: number, document: unknown]> {
    const { publicKey, privateKey, caCertificate = '', url } = setup.bootstrap;
    const credentials = ['--digest', '--user', `${publicKey}:${privateKey}`, '--cacert', caCertificate];
    const { stdout } = await run('curl', [
      ...['--silent', '--show-error', ...credentials, '--write-out', '\n%{http_code}'],
      ...options,
      `${url}/api/service/${path}`,
    ]);
    const end = stdout.lastIndexOf('\n');
    const text = stdout.slice(0, end);
    return [Number(stdout.slice(end + 1)), text === '' ? undefined : JSON.parse(text)];
  }

  test('curl --digest and a driver suffice to get from a project to a database', async (t) => {
    const name = uniqueName('curl');
    const send = async (method: string, path: string, body: object) => {
      const json = ['--header', 'Content-Type: application/json', '--data', JSON.stringify(body)];
      const [status, document] = await curl(path, '--request', method, ...json);
      assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(document)}`);
      return document;
    };
    const project = await send('POST', 'v2/groups', { name, orgId: setup.bootstrap.orgId });
    const path = `v2/groups/${(project as ProjectDocument).id}`;
    await send('POST', `${path}/clusters`, clusterBody('curl'));
    const roles = [{ roleName: 'readWrite', databaseName: 'harbour' }];
    await send('POST', `${path}/databaseUsers`, { ...SAILOR, databaseName: 'admin', roles });
    await send('POST', `${path}/accessList`, [{ ipAddress: '127.0.0.1' }]);
    const cluster = async () => (await curl(`${path}/clusters/curl`))[1] as ClusterDocument;
    const { connectionStrings } = await until('IDLE', cluster, ({ stateName }) => stateName === 'IDLE');
    const status = async () => (await curl(`${path}/clusters/curl/status`))[1] as { changeStatus: string };
    await until('APPLIED', status, ({ changeStatus }) => changeStatus === 'APPLIED');
    const driver = await MongoClient.connect(connectionStrings.standard ?? '', {
      auth: SAILOR,
      ...LONG_TIMEOUTS,
    });
    t.after(() => driver.close());
    await driver.db('harbour').collection('ports').insertOne({ name: 'Riga' });
    assert.equal(await driver.db('harbour').collection('ports').countDocuments({}), 1);
    await driver.close();
    assert.deepEqual(await curl(`${path}/clusters/curl`, '--request', 'DELETE'), [202, {}]);
    await until(
      '404',
      () => curl(`${path}/clusters/curl`),
      ([code]) => code === 404,
    );
  });

  test('curl --digest reads in every version and form, and deletes', async () => {
    const name = uniqueName('curl');
    const path = `v2${await newProject(setup, { name })}`;
    const version = ['--header', 'Accept: application/vnd.service.2023-01-01+json'];
    const [read, document] = await curl(`${path}?pretty=true`, ...version);
    assert.deepEqual([read, (document as ProjectDocument).name], [200, name]);
    const [listed, list] = await curl('v1.0/groups?itemsPerPage=500');
    assert.equal(listed, 200);
    assert.ok((list as ListDocument<ProjectDocument>).results.some((one) => one.name === name));
    assert.deepEqual(await curl(path, '--request', 'DELETE'), [204, undefined]);
    assert.equal((await curl(path))[0], 404);
  });

  test('a stock OAuth client gets a token, calls with it and revokes it', async () => {
    const { url, clientId, clientSecret, groupId } = setup.bootstrap;
    const server = {
      issuer: url,
      token_endpoint: `${url}/api/oauth/token`,
      revocation_endpoint: `${url}/api/oauth/revoke`,
    };
    const secret = oauth.ClientSecretBasic(clientSecret);
    const client = new oauth.Configuration(server, clientId, undefined, secret);
    const { access_token: token, expires_in } = await oauth.clientCredentialsGrant(client);
    assert.equal(expires_in, 3600);
    const call = (method: string, path: string) =>
      oauth.fetchProtectedResource(client, token, new URL(`${url}/api/service/v2${path}`), method);
    const answer = await call('GET', `/groups/${groupId}`);
    assert.equal(((await answer.json()) as ProjectDocument).id, groupId);
    await oauth.tokenRevocation(client, token);
    assert.equal((await call('GET', `/groups/${groupId}`)).status, 401);
    const wrong = new oauth.Configuration(server, clientId, undefined, oauth.ClientSecretBasic('wrong'));
    await assert.rejects(oauth.clientCredentialsGrant(wrong), { status: 401 });
  });

  const api = (projectId: string) => {
    const { publicKey, privateKey, url } = setup.bootstrap;
    return connectApi({ publicKey, privateKey, baseUrl: `${url}/api/service/v1.0`, projectId });
  };

  test('the public API client manages projects', async () => {
    const { project } = api('');
    const name = uniqueName('api');
    const made = await project.create({ name, orgId: setup.bootstrap.orgId });
    assert.equal(made.name, name);
    assert.deepEqual(await project.getById(made.id), made);
    assert.deepEqual(await project.getByName(name), made);
    const all = (await project.getAll({ itemsPerPage: 500 })) as unknown as ListDocument<ProjectDocument>;
    assert.ok(all.results.some(({ id }) => id === made.id));
    assert.equal(await project.delete(made.id), true);
    assert.partialDeepStrictEqual(await project.getById(made.id), {
      error: 404,
      errorCode: 'GROUP_NOT_FOUND',
    });
  });

  test('the public API client manages clusters', async () => {
    const { cluster } = api((await newProject(setup)).slice('/groups/'.length));
    type Document = Record<string, unknown>;
    const get = async () => (await cluster.get('api')) as unknown as Document;
    const isIdle = ({ stateName }: Document) => stateName === 'IDLE';
    const providerSettings = {
      providerName: 'AWS',
      instanceSizeName: 'M10',
      regionName: 'US_EAST_1',
    } as const;
    const made = await cluster.create({ ...clusterBody('api'), providerSettings });
    assert.partialDeepStrictEqual(made, { name: 'api', stateName: 'CREATING' });
    await until('IDLE', get, isIdle);
    const larger = { ...providerSettings, instanceSizeName: 'M20' };
    const changed = await cluster.update('api', { name: 'api', providerSettings: larger });
    assert.partialDeepStrictEqual(changed, { providerSettings: larger });
    const { links: _, ...document } = await until('IDLE', get, isIdle);
    const all = (await cluster.getAll()) as unknown as ListDocument;
    assert.partialDeepStrictEqual(all, { results: [document], totalCount: 1 });
    assert.partialDeepStrictEqual(await cluster.getAdvanceConfiguration('api'), { noTableScan: false });
    const tuned = { noTableScan: true };
    assert.partialDeepStrictEqual(await cluster.updateAdvanceConfiguration('api', tuned), tuned);
    await until('IDLE', get, isIdle);
    assert.deepEqual(await cluster.testPrimaryFailOver('api'), {});
    await until('IDLE', get, isIdle);
    assert.equal(await cluster.delete('api'), true);
    const last = await until('404', get, ({ error }) => error !== undefined);
    assert.equal(last.errorCode, 'CLUSTER_NOT_FOUND');
  });

  test('the public API client manages database users', async () => {
    const groupId = (await newProject(setup)).slice('/groups/'.length);
    const { user } = api(groupId);
    const roles = [{ roleName: 'read', databaseName: 'harbour' }];
    const who = { username: 'api', databaseName: 'admin', groupId, roles };
    assert.partialDeepStrictEqual(await user.create({ ...who, password: 'a long password' }), who);
    const written = [{ roleName: 'readWrite', databaseName: 'harbour' }];
    assert.partialDeepStrictEqual(await user.update('api', { roles: written }), { roles: written });
    assert.partialDeepStrictEqual(await user.get('api'), { ...who, roles: written });
    assert.partialDeepStrictEqual(await user.getAll(), { results: [{ username: 'api' }], totalCount: 1 });
    assert.equal(await user.delete('api'), true);
    assert.partialDeepStrictEqual(await user.get('api'), { errorCode: 'USERNAME_NOT_FOUND' });
  });

  test('the public API client manages custom roles', async () => {
    const { customDbRole } = api((await newProject(setup)).slice('/groups/'.length));
    type Answers = Record<string, (...given: unknown[]) => Promise<unknown>>;
    // The client's types require every field of a resource.
    const roles = customDbRole as unknown as Answers;
    const resources = [{ db: 'harbour', collection: 'ports' }];
    const role = { roleName: 'pilot', actions: [{ action: 'FIND', resources }], inheritedRoles: [] };
    assert.partialDeepStrictEqual(await roles.create?.(role), role);
    const actions = [...role.actions, { action: 'INSERT', resources }];
    assert.partialDeepStrictEqual(await roles.update?.('pilot', { actions }), { ...role, actions });
    assert.partialDeepStrictEqual(await roles.get?.('pilot'), { ...role, actions });
    assert.partialDeepStrictEqual(await roles.getAll?.(), [{ roleName: 'pilot' }]);
    assert.equal(await roles.delete?.('pilot'), true);
    assert.partialDeepStrictEqual(await roles.get?.('pilot'), {
      errorCode: 'PLATFORM_CUSTOM_ROLE_NOT_FOUND',
    });
  });

  test('the public API client manages the access list', async () => {
    const { projectAccesslist: list } = api((await newProject(setup)).slice('/groups/'.length));
    type Create = (entries: object[]) => Promise<unknown>;
    // The client's types differ from the documents. The client sends its arguments unchanged, and the list accepts an
    // array.
    const [create, update] = [list.create as unknown as Create, list.update as unknown as Create];
    const entry = { ipAddress: '192.0.2.1', comment: 'first' };
    assert.partialDeepStrictEqual(await create([entry]), { results: [entry], totalCount: 1 });
    const changed = { ...entry, comment: 'second' };
    assert.partialDeepStrictEqual(await update([changed]), { results: [changed], totalCount: 1 });
    assert.partialDeepStrictEqual(await list.get('192.0.2.1'), changed);
    assert.partialDeepStrictEqual(await list.getAll(), { results: [changed] });
    assert.equal(await list.delete('192.0.2.1'), true);
    assert.partialDeepStrictEqual(await list.getAll(), { results: [], totalCount: 0 });
  });
});
