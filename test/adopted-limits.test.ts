import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { adopt, DEPLOYMENTS } from './support/adopted-cluster.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { scopeOf } from './support/service.ts';
import { onEachSetup } from './support/setups.ts';
import { idIn, idle, newCluster, newProject } from './support/stage.ts';
import { type Answer, replicaSet, standInServer } from './support/stand-in-server.ts';

onEachSetup('limits of adopted deployments', (setup) => {
  const scope = scopeOf({ after });

  test('a deployment that exceeds a limit is not adopted, and the reason names the limit', async () => {
    const members = Array.from({ length: 1000 }, (_, _id) => ({
      _id,
      host: `db${_id}.example`,
      priority: 1,
    }));
    const answer = replicaSet({ replSetGetConfig: { config: { members } } });
    const { host } = await standInServer(scope, answer);
    const groupId = idIn(await newProject(setup));
    const body = { groupId, name: 'crowd', connectionString: `mongodb://${host}/` };
    const reason = 'The deployment has 1000 members of a replica set, and the service supports up to 50.';
    expectFault(await adopt(setup, body), 400, 'DEPLOYMENT_NOT_USABLE', [reason]);
  });

  test('an adopted deployment that exceeds a limit is REPAIRING with the reason until it is below the limit', async () => {
    let answer: Answer = replicaSet();
    const { host } = await standInServer(scope, (...command) => answer(...command));
    const project = await newProject(setup);
    const other = await newCluster(setup, project, 'other');
    const body = { groupId: idIn(project), name: 'swell', connectionString: `mongodb://${host}/` };
    const { id } = expectStatus<{ id: string }>(await adopt(setup, body), 201);
    const cluster = `${project}/clusters/swell`;
    await idle(setup.owner, cluster);
    const databases = Array.from({ length: 50_000 }, (_, index) => ({ name: `db${index}` }));
    answer = replicaSet({ listDatabases: { databases } });
    const reason = 'The deployment has 50000 databases, and the service supports up to 10000.';
    const shown = await until(
      'the reason',
      () => setup.operator.get(`${DEPLOYMENTS}/${id}`),
      (reply) => reply.json<{ problem?: string }>().problem?.includes(reason) === true,
    );
    assert.ok(shown.text.length < 50_000);
    const { stateName } = expectStatus<{ stateName: string }>(await setup.owner.get(cluster), 200);
    assert.equal(stateName, 'REPAIRING');
    assert.equal((await idle(setup.owner, other)).stateName, 'IDLE');
    answer = replicaSet();
    await idle(setup.owner, cluster);
    expectStatus(await setup.operator.delete(`${DEPLOYMENTS}/${id}`), 204);
  });
});
