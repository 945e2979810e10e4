import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from './support/expect.ts';
import { MCP_SERVER, type McpServer, startMcpServer } from './support/mcp.ts';
import { freePort } from './support/ports.ts';
import { scopeOf } from './support/service.ts';
import { openSetup, type Setup } from './support/setups.ts';
import { newProject, uniqueName } from './support/stage.ts';
import { INSTALL_LIMIT_MS, installFrom } from './support/tools.ts';

/** Calls every Atlas tool of an unmodified `mongodb-mcp-server`, over HTTPS. */

describe("the vendor's MCP server (SQLite, one instance)", () => {
  const setup = {} as Setup;
  const scope = scopeOf({ after });
  let server: McpServer | undefined;
  let nameServer = '';
  const called = new Set<string>();

  before(() => installFrom(MCP_SERVER), { timeout: INSTALL_LIMIT_MS + 10_000 });
  before(async () => {
    nameServer = `127.0.0.1:${await freePort()}`;
    // The MCP server parses connection strings as URLs, which have only one host. It can therefore connect only by SRV
    // names.
    const settings = { domain: 'harbour.test', 'dns-listen': nameServer };
    Object.assign(setup, await openSetup(scope, 'SQLite, one instance', { settings }));
    server = await startMcpServer(setup.bootstrap, nameServer);
  });
  after(() => server?.stop());

  async function answerOf(tool: string, args: object) {
    called.add(tool);
    const answer = await server?.call(tool, args);
    return { text: answer?.content.map(({ text }) => text).join('\n') ?? '', ...answer };
  }

  /** Calls a tool, and expects success. */
  async function call(tool: string, args: object): Promise<Record<string, unknown>> {
    const { isError, text, structuredContent = {} } = await answerOf(tool, args);
    assert.ok(!isError, `${tool}: ${text}`);
    return structuredContent;
  }

  async function newProjectId() {
    return (await newProject(setup)).slice('/groups/'.length);
  }

  const state = (projectId: string, clusterName: string, wanted: object) =>
    until(
      JSON.stringify(wanted),
      () => call('atlas-inspect-cluster', { projectId, clusterName }),
      (cluster) => Object.entries(wanted).every(([name, value]) => cluster[name] === value),
    );

  test('organizations, projects and regions', async () => {
    const { orgId } = setup.bootstrap;
    const orgs = await call('atlas-list-orgs', {});
    assert.partialDeepStrictEqual(orgs, { organizations: [{ id: orgId }], totalCount: 1 });
    const projectName = uniqueName('mcp');
    const made = await call('atlas-create-project', { projectName, orgId });
    assert.deepEqual(made, { projectName, orgId });
    const { projects } = await call('atlas-list-projects', { orgId, limit: 100 });
    assert.ok((projects as { name: string }[]).some(({ name }) => name === projectName));
    const { regions } = await call('atlas-get-regions', { provider: 'AWS' });
    assert.ok((regions as { name: string }[]).some(({ name }) => name === 'EU_WEST_1'));
  });

  test('access lists, database users and alerts', async () => {
    const projectId = await newProjectId();
    const addresses = { ipAddresses: ['192.0.2.1'], cidrBlocks: ['198.51.100.0/24'], currentIpAddress: true };
    await call('atlas-create-access-list', { projectId, ...addresses, comment: 'ours' });
    const { entries } = await call('atlas-inspect-access-list', { projectId });
    assert.deepEqual(
      new Set((entries as { cidrBlock: string }[]).map(({ cidrBlock }) => cidrBlock)),
      new Set(['192.0.2.1/32', '127.0.0.1/32', '198.51.100.0/24']),
    );
    const roles = [{ roleName: 'readWrite', databaseName: 'harbour', collectionName: 'ports' }];
    const user = await call('atlas-create-db-user', {
      projectId,
      username: 'sailor',
      roles,
      clusters: ['quay'],
    });
    assert.equal(typeof user.password, 'string');
    setup.keepOutOfLogs(String(user.password));
    const scopes = [{ type: 'CLUSTER', name: 'quay' }];
    const users = await call('atlas-list-db-users', { projectId });
    assert.deepEqual(users, { projectId, users: [{ username: 'sailor', roles, scopes }], totalCount: 1 });
    const alerts = await call('atlas-list-alerts', { projectId, status: 'CLOSED', includeCount: true });
    assert.deepEqual(alerts, { projectId, status: 'CLOSED', alerts: [], totalCount: 0 });
  });

  test('a cluster from its creation to a pause', async () => {
    const projectId = await newProjectId();
    const cluster = { projectId, clusterName: 'quay' };
    const place = { provider: 'AWS', regions: ['US_EAST_1'] };
    const made = await call('atlas-create-cluster', { ...cluster, ...place, instanceSize: 'M10' });
    assert.partialDeepStrictEqual(made, { ...place, instanceSize: 'M10', clusterType: 'REPLICASET' });
    const idle = await state(projectId, 'quay', { state: 'IDLE' });
    assert.partialDeepStrictEqual(idle, { name: 'quay', instanceType: 'DEDICATED', paused: false });
    assert.partialDeepStrictEqual(await call('atlas-list-clusters', { projectId }), {
      clusters: [{ name: 'quay', instanceSize: 'M10', region: 'US_EAST_1' }],
    });
    assert.partialDeepStrictEqual(await call('atlas-load-sample-dataset', cluster), { clusterName: 'quay' });

    const { connectionId } = await until(
      'connected',
      () => call('atlas-connect-cluster', cluster),
      (answer) => answer.state === 'connected',
    );
    const ports = { connectionId, database: 'harbour', collection: 'ports' };
    await call('insert-many', { ...ports, documents: [{ name: 'Riga' }] });
    assert.match((await answerOf('find', { ...ports, filter: {} })).text, /Riga/);

    const advice = await call('atlas-get-performance-advisor', cluster);
    assert.deepEqual(Object.keys(advice).sort(), [
      'clusterName',
      'dropIndexSuggestions',
      'projectId',
      'schemaSuggestions',
      'slowQueryLogs',
      'suggestedIndexes',
    ]);

    const larger = await call('atlas-upgrade-cluster', { ...cluster, targetTier: 'M20' });
    assert.partialDeepStrictEqual(larger, { originalTier: 'M10', targetTier: 'M20' });
    await state(projectId, 'quay', { state: 'IDLE', instanceSize: 'M20' });
    await call('atlas-pause-resume-cluster', { ...cluster, action: 'PAUSE' });
    await state(projectId, 'quay', { state: 'IDLE', paused: true });
    await call('atlas-pause-resume-cluster', { ...cluster, action: 'RESUME' });
    await state(projectId, 'quay', { state: 'IDLE', paused: false });
  });

  test('a free cluster, its upgrades to a flex and to a dedicated cluster', async () => {
    const projectId = await newProjectId();
    assert.deepEqual(await call('atlas-create-free-cluster', { projectId, name: 'free' }), { created: true });
    await state(projectId, 'free', { state: 'IDLE', instanceType: 'FREE' });
    const upgrade = { projectId, clusterName: 'free' };
    const flex = await call('atlas-upgrade-cluster', { ...upgrade, targetTier: 'FLEX' });
    assert.partialDeepStrictEqual(flex, { originalTier: 'FREE', targetTier: 'FLEX' });
    await state(projectId, 'free', { state: 'IDLE', instanceType: 'FLEX' });
    const place = { provider: 'AWS', region: 'US_EAST_1' };
    const dedicated = await call('atlas-upgrade-cluster', { ...upgrade, ...place, targetTier: 'M10' });
    assert.partialDeepStrictEqual(dedicated, { originalTier: 'FLEX', targetTier: 'M10' });
    await state(projectId, 'free', { state: 'IDLE', instanceType: 'DEDICATED', instanceSize: 'M10' });
  });

  test('tools for streams say that the service does not offer them', async () => {
    const projectId = await newProjectId();
    const workspace = { projectId, workspaceName: 'w' };
    const region = { cloudProvider: 'AWS', region: 'VIRGINIA_USA' };
    const calls = {
      'atlas-streams-discover': { projectId, action: 'list-workspaces' },
      'atlas-streams-build': { ...workspace, resource: 'workspace', ...region },
      'atlas-streams-manage': { ...workspace, action: 'start-processor', resourceName: 'p' },
      'atlas-streams-teardown': { ...workspace, resource: 'workspace' },
    };
    for (const [tool, args] of Object.entries(calls)) {
      const { isError, text } = await answerOf(tool, args);
      assert.equal(isError, true);
      assert.match(text, /This service does not offer Streams\./);
    }
  });

  test('no Atlas tool is left out', async () => {
    const all = await server?.tools();
    const missing = all?.filter((tool) => tool.startsWith('atlas-') && !called.has(tool));
    assert.deepEqual(missing, []);
  });
});
