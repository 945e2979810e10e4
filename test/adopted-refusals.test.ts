import { after, before, describe, test } from 'node:test';
import type { MongoClient } from 'mongodb';
import { adopt } from './support/adopted-cluster.ts';
import { connectedServer, type OtherServer } from './support/adopted-engine.ts';
import { backedUp, into } from './support/backups.ts';
import { expectFault, expectStatus } from './support/expect.ts';
import { scopeOf } from './support/service.ts';
import { openSetup, type Setup } from './support/setups.ts';
import { idIn, idle, newProject } from './support/stage.ts';

const NO_CHANGE_STREAMS =
  'its servers have no change streams of the version 6.0 or later, or the user in the connection string may not open them';

describe('an adopted deployment whose user has few privileges (SQLite, one instance)', () => {
  const scope = scopeOf({ after });
  let setup: Setup;
  let server: OtherServer;
  let client: MongoClient;
  before(async () => {
    ({ server, client } = await connectedServer(scope));
    setup = await openSetup(scope, 'SQLite, one instance');
  });

  /** Adopts the deployment with the privileges of a new user, and releases it at the end of the test. */
  async function adopted(t: { after(release: () => unknown): void }, name: string, roles: readonly string[]) {
    await client.db('admin').command({ createUser: name, pwd: 'a spyglass', roles: [...roles] });
    const connectionString = server.uri.replace(/\/\/[^@]*@/, `//${name}:a%20spyglass@`);
    const project = await newProject(setup);
    const body = { groupId: idIn(project), name, connectionString };
    const { id } = expectStatus<{ id: string }>(await adopt(setup, body), 201);
    t.after(() => setup.operator.delete(`/operator/v1/deployments/${id}`));
    const cluster = `${project}/clusters/${name}`;
    await idle(setup.owner, cluster);
    return { project, cluster };
  }

  test('a restore to a point in time names the lacking capability', async (t) => {
    const { project, cluster } = await adopted(t, 'observer', ['clusterMonitor']);
    expectStatus(await setup.owner.patch(cluster, backedUp), 200);
    await idle(setup.owner, cluster);
    const { snapshotId: _, ...target } = into(project, 'observer', '');
    const pointInTimeUTCSeconds = Math.floor(Date.now() / 1000);
    const body = { deliveryType: 'pointInTime', ...target, pointInTimeUTCSeconds };
    expectFault(
      await setup.owner.post(`${cluster}/backup/restoreJobs`, body),
      400,
      'NOT_SUPPORTED_BY_ENGINE',
      ['adopted', 'continuous backup', 'observer', NO_CHANGE_STREAMS],
    );
  });

  test('unneeded indexes are not reported as absent if the servers refuse their statistics', async (t) => {
    await client.db('harbour').collection('ships').insertOne({ name: 'Fram' });
    const privileges = [{ resource: { cluster: true }, actions: ['getLog', 'listDatabases'] }];
    await client.db('admin').command({ createRole: 'listener', privileges, roles: [] });
    const { cluster } = await adopted(t, 'reader', ['readAnyDatabase', 'listener']);
    const reply = await setup.owner.get(`${cluster}/performanceAdvisor/dropIndexSuggestions`);
    expectFault(reply, 409, 'INDEX_STATISTICS_REFUSED', reply.json<{ parameters: string[] }>().parameters);
  });
});
