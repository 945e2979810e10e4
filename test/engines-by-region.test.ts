import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { expectStatus } from './support/expect.ts';
import { startApiServer } from './support/kubernetes/api-server.ts';
import { ready, resourceOf } from './support/kubernetes/resources.ts';
import { type Scope, scopeOf, temporaryFolder } from './support/service.ts';
import { openSetup } from './support/setups.ts';
import { clusterBody, idle, twoRegions } from './support/stage.ts';

/** Starts a service whose clusters in US_WEST_2 run on Kubernetes, with an emulated API server. */
async function opened(scope: Scope) {
  const api = await startApiServer(scope);
  const engines = join(await temporaryFolder(scope), 'engines.yaml');
  await writeFile(engines, 'AWS/US_WEST_2: kubernetes\n');
  const { account, bootstrap } = await openSetup(scope, 'SQLite, one instance', {
    settings: { engines, kubeconfig: api.kubeconfig },
  });
  return { owner: account, api, project: `/groups/${bootstrap.groupId}` };
}

const inRegion = (name: string, regionName: string) =>
  clusterBody(name, { providerSettings: { providerName: 'AWS', instanceSizeName: 'M10', regionName } });

describe('the regions of a cluster determine its engine', () => {
  const scope = scopeOf({ after });
  let setup: Awaited<ReturnType<typeof opened>>;
  before(async () => {
    setup = await opened(scope);
  });

  async function newIdle(body: ReturnType<typeof inRegion>) {
    const { owner, project } = setup;
    expectStatus(await owner.post(`${project}/clusters`, body), 201);
    return idle(owner, `${project}/clusters/${body.name}`);
  }

  test('a cluster runs on the engine of its region', async () => {
    const { owner, api, project } = setup;
    await newIdle(inRegion('East', 'US_EAST_1'));
    assert.deepEqual(api.resources(), []);
    expectStatus(await owner.post(`${project}/clusters`, inRegion('West', 'US_WEST_2')), 201);
    ready(api, await resourceOf(api, 'West'));
    await idle(owner, `${project}/clusters/West`);
    const outage = await owner.post(`${project}/clusters/West/restartPrimaries`, {});
    assert.equal(outage.json().errorCode, 'NOT_SUPPORTED_BY_ENGINE', outage.text);
  });

  test('a cluster cannot have nodes in regions of different engines', async () => {
    const { owner, api, project } = setup;
    const rejected = (reply: Awaited<ReturnType<typeof owner.get>>, parameters: readonly string[]) => {
      const { errorCode, ...body } = expectStatus<{ errorCode: string; parameters: string[] }>(reply, 400);
      assert.deepEqual([errorCode, body.parameters], ['REGION_OF_OTHER_ENGINE', parameters]);
    };
    const both = { name: 'Both', ...twoRegions(2, 1) };
    rejected(await owner.post(`${project}/clusters`, both), [
      ...['Both', 'AWS/US_WEST_2', 'kubernetes', 'embedded'],
    ]);
    const { replicationSpecs: before } = await newIdle(inRegion('Coast', 'US_EAST_1'));
    const cluster = `${project}/clusters/Coast`;
    rejected(await owner.patch(cluster, twoRegions(2, 1)), [
      ...['Coast', 'AWS/US_WEST_2', 'kubernetes', 'embedded'],
    ]);
    assert.deepEqual((await idle(owner, cluster)).replicationSpecs, before);
    assert.ok(!api.resources().some(({ spec }) => JSON.stringify(spec).includes('us-east-1')));
  });
});
