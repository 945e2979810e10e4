import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearer, type Client, fetchToken } from './support/client.ts';
import { allowAccess, newUser } from './support/drivers.ts';
import { expectStatus } from './support/expect.ts';
import { own, type Setup } from './support/setups.ts';
import { idle, newCluster, newOrganization, newProject, withoutOrigins } from './support/stage.ts';

/** Returns the responses that a client gets for each path. */
async function shown(client: Client, paths: readonly string[]): Promise<unknown[]> {
  const replies = [];
  for (const path of paths) replies.push(withoutOrigins(expectStatus(await client.get(path), 200)));
  return replies;
}

/**
 * The path of the list of events. Omits events about an engine host that does not respond, since a stalled machine can
 * cause them.
 */
const EVENTS = '/events?excludedEventType=CLUSTER_NODES_LOST&excludedEventType=CLUSTER_REPAIRED';

/**
 * Creates a project with one resource of each kind. Returns the paths of all of them, and a function that waits until
 * its clusters run.
 */
async function furnish(setup: Setup): Promise<{ paths: string[]; atRest: () => Promise<unknown> }> {
  const { orgId } = setup.bootstrap;
  // Turn off alerts, since they record events that depend on the load of the machine.
  const project = await newProject(setup, { withDefaultAlertsSettings: false });
  const tags = [{ key: 'kept', value: 'yes' }];
  expectStatus(await setup.owner.patch(project, { tags }), 200);
  const cluster = await newCluster(setup, project, 'kept', { tags });
  await allowAccess(setup, project, cluster);
  await newUser(setup, project, 'reader', { roles: [{ roleName: 'read', databaseName: 'harbour' }] });
  const paused = await newCluster(setup, project, 'paused');
  expectStatus(await setup.owner.patch(paused, { paused: true }), 200);
  await idle(setup.owner, paused);
  const lists = ['', '/clusters', '/databaseUsers', '/accessList', EVENTS].map((below) => project + below);
  const organization = [`/orgs/${orgId}`, `/orgs/${orgId}/events`];
  return {
    paths: [...lists, cluster, `${cluster}/status`, paused, ...organization, '/groups'],
    atRest: () => Promise.all([cluster, paused].map((path) => idle(setup.owner, path))),
  };
}

own.onEachSetup('restarts', (setup) => {
  test('after a stop and after a kill, all data and credentials remain valid', async () => {
    const { paths, atRest } = await furnish(setup);
    const { key, id } = await newOrganization(setup, 'ORG_OWNER');
    const { clientId, clientSecret } = setup.bootstrap;
    const [connection] = setup.connections;
    assert.ok(connection);
    const caller = setup.clientWith(bearer(await fetchToken(connection, clientId, clientSecret)));
    const before = [await shown(setup.owner, paths), await shown(key, [`/orgs/${id}`, '/'])];
    const end = [() => setup.stop(), () => Promise.all(setup.instances.map((instance) => instance.kill()))];
    for (const cease of end) {
      await cease();
      await setup.start();
      await atRest();
      assert.deepEqual([await shown(setup.owner, paths), await shown(key, [`/orgs/${id}`, '/'])], before);
      assert.deepEqual(await shown(caller, paths), before[0]);
      assert.deepEqual(
        { ...setup.instances[0]?.bootstrap, url: '' },
        { ...setup.bootstrap, url: '' },
        'bootstrap.json is what it was',
      );
    }
  });
});
