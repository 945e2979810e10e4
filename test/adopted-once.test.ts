import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { adopt, DEPLOYMENTS, newOrigin } from './support/adopted-cluster.ts';
import { expectFault, expectStatus } from './support/expect.ts';
import { scopeOf } from './support/service.ts';
import { onEachSetup } from './support/setups.ts';
import { gone, idIn, idle, newProject } from './support/stage.ts';
import { replicaSet, standInServer } from './support/stand-in-server.ts';

onEachSetup('adopting a deployment twice', (setup) => {
  const scope = scopeOf({ after });

  /** Starts a server. Returns a function that returns the body for adopting it into a new project. */
  async function newServer() {
    const { host } = await standInServer(scope, replicaSet());
    const bodyOf = async (name: string) => {
      const groupId = idIn(await newProject(setup));
      return { groupId, name, connectionString: `mongodb://${host}/` };
    };
    return { host, bodyOf };
  }

  test('a second project cannot adopt it until the first has released it', async () => {
    const { host, bodyOf } = await newServer();
    const [first, second] = [await bodyOf('secretive'), await bodyOf('other')];
    const { id } = expectStatus<{ id: string }>(await adopt(setup, first), 201);
    await idle(setup.owner, `/groups/${first.groupId}/clusters/secretive`);
    for (const body of [second, { ...first, name: 'again' }]) {
      const refused = await adopt(setup, body);
      expectFault(refused, 409, 'DEPLOYMENT_ALREADY_ADOPTED', [host, id]);
      assert.ok(!refused.text.includes('secretive') && !refused.text.includes(first.groupId));
    }
    expectStatus(await setup.operator.delete(`${DEPLOYMENTS}/${id}`), 204);
    await gone(setup.owner, `/groups/${first.groupId}/clusters/secretive`);
    const again = expectStatus<{ id: string }>(await adopt(setup, second), 201);
    expectStatus(await setup.operator.delete(`${DEPLOYMENTS}/${again.id}`), 204);
  });

  test('a cluster of the service itself cannot be adopted', async () => {
    const { path, uri, connectionStrings } = await newOrigin(setup);
    const { id } = expectStatus<{ id: string }>(await setup.owner.get(path), 200);
    const hosts = /\/\/([^/]*)/.exec(connectionStrings.standard ?? '')?.[1]?.split(',');
    const groupId = idIn(await newProject(setup));
    const body = { groupId, name: 'mirror', connectionString: uri };
    const refused = await adopt(setup, body);
    const [address, clusterId] = expectStatus<{ parameters: string[] }>(refused, 409).parameters;
    assert.ok(address !== undefined && hosts?.includes(address), address);
    expectFault(refused, 409, 'DEPLOYMENT_IS_OWN_CLUSTER', [address, id]);
    assert.equal(clusterId, id);
  });

  test('of several projects at the same moment, one adopts it', async () => {
    const { host, bodyOf } = await newServer();
    const bodies = await Promise.all(['one', 'two', 'three', 'four'].map(bodyOf));
    const replies = await Promise.all(bodies.map((body) => adopt(setup, body)));
    const [adopted, ...others] = replies.toSorted((one, other) => one.status - other.status);
    assert.ok(adopted);
    const { id } = expectStatus<{ id: string }>(adopted, 201);
    for (const reply of others) expectFault(reply, 409, 'DEPLOYMENT_ALREADY_ADOPTED', [host, id]);
    expectStatus(await setup.operator.delete(`${DEPLOYMENTS}/${id}`), 204);
  });
});
