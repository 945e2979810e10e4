import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { allowAccess, driverFor, LONG_TIMEOUTS } from './support/drivers.ts';
import { expectStatus, until } from './support/expect.ts';
import type { Reply } from './support/http.ts';
import { keepLogbook } from './support/logbook.ts';
import { dice } from './support/random.ts';
import { own, type Setup } from './support/setups.ts';
import {
  type ClusterDocument,
  clusterBody,
  gone,
  idle,
  type ListDocument,
  newCluster,
  newProject,
  uniqueName,
} from './support/stage.ts';

const SEED = Number(process.env.TEST_SEED ?? 1852);
const ROUNDS = 4;
/** The latest time of a kill. On a quiet machine, creating or removing a cluster takes less time. */
const WORK_MS = 120;

/** What the test knows about a cluster: the values that it requested, and which requests got a response. */
interface Known {
  made: boolean;
  removed: 'no' | 'asked' | 'yes';
  /** The node counts that the cluster may have: the one in the last response, and those requested since. */
  nodes: number[];
}

const MADE_WITH = 3;
/** The node count that the first change of each cluster requests. */
const CHANGED_TO = 5;

/** Creates, changes and removes clusters concurrently. The service may be killed at any moment. */
function changeClusters(setup: Setup, clusters: string, known: Map<string, Known>): Promise<unknown> {
  const removals = [...known].filter(([, { removed }], index) => removed === 'no' && index % 2 === 1);
  const ask = async (call: Promise<Reply>, status: number) =>
    call.then(
      (reply) => reply.status === status,
      () => false,
    );
  const calls = removals.map(async ([name, fate]) => {
    fate.removed = 'asked';
    if (await ask(setup.account.delete(`${clusters}/${name}`), 202)) fate.removed = 'yes';
  });
  const changes = [...known].filter(([, { removed }], index) => removed === 'no' && index % 2 === 0);
  const changed = changes.map(async ([name, fate]) => {
    fate.nodes.push(CHANGED_TO);
    const body = { replicationFactor: CHANGED_TO };
    if (await ask(setup.account.patch(`${clusters}/${name}`, body), 200)) fate.nodes = [CHANGED_TO];
  });
  const made = Array.from({ length: 4 }, async () => {
    const name = uniqueName('c');
    const fate: Known = { made: false, removed: 'no', nodes: [MADE_WITH] };
    known.set(name, fate);
    fate.made = await ask(setup.account.post(clusters, clusterBody(name)), 201);
  });
  return Promise.all([...calls, ...changed, ...made]);
}

async function settled(setup: Setup, clusters: string): Promise<readonly ClusterDocument[]> {
  const list = async () =>
    expectStatus<ListDocument<ClusterDocument>>(await setup.account.get(`${clusters}?itemsPerPage=500`), 200)
      .results;
  return until('every cluster idle or gone', list, (results) =>
    results.every(({ stateName }) => stateName === 'IDLE'),
  );
}

function portsOf({ connectionStrings }: ClusterDocument): readonly string[] {
  return connectionStrings.standard?.match(/:\d+/g) ?? [];
}

function expectFates(known: ReadonlyMap<string, Known>, there: readonly ClusterDocument[]): void {
  const names = new Map(there.map((cluster) => [cluster.name, portsOf(cluster).length]));
  for (const [name, { made, removed, nodes }] of known) {
    const found = names.get(name);
    if (found !== undefined) assert.ok(nodes.includes(found), `${name} has ${found} nodes, not ${nodes}`);
    if (removed === 'yes') assert.ok(!names.has(name), `${name} was removed`);
    else if (made && removed === 'no') assert.ok(names.has(name), `${name} was made`);
  }
}

async function expectMadeOnce(
  setup: Setup,
  project: string,
  there: readonly ClusterDocument[],
): Promise<void> {
  const path = `${project}/events?itemsPerPage=500&eventType=CLUSTER_READY&eventType=CLUSTER_CREATED`;
  const { results } = expectStatus<ListDocument>(await setup.account.get(path), 200);
  for (const { name } of there) {
    const types = results
      .filter(({ clusterName }) => clusterName === name)
      .map((event) => event.eventTypeName);
    assert.deepEqual(types.toSorted(), ['CLUSTER_CREATED', 'CLUSTER_READY'], name);
  }
  const ports = there.flatMap(portsOf);
  assert.equal(new Set(ports).size, ports.length, 'every node has a port of its own');
  const directories = setup.instances.map(({ dataDirectory }) => join(dataDirectory, 'engine/clusters'));
  const deployed = directories.flatMap((directory) => readdirSync(directory)).toSorted();
  assert.deepEqual(deployed, there.map(({ id }) => id).toSorted());
}

own.onEachSetup('killed services', (setup) => {
  test(`clusters reach their final states whenever the service is killed, and drivers continue (seed ${SEED})`, async (t) => {
    const chance = dice(SEED);
    const project = await newProject(setup);
    const clusters = `${project}/clusters`;
    const steady = await newCluster(setup, project, 'steady');
    await allowAccess(setup, project, steady);
    const driver = await driverFor(setup, steady, LONG_TIMEOUTS);
    t.after(() => driver.close());
    const logbook = keepLogbook(t, driver);
    const known = new Map<string, Known>([['steady', { made: true, removed: 'no', nodes: [MADE_WITH] }]]);
    for (let round = 0; round < ROUNDS; round++) {
      const changes = changeClusters(setup, clusters, known);
      await setTimeout(chance.below(WORK_MS));
      await Promise.all(setup.instances.map((instance) => instance.kill()));
      await changes;
      await setup.start();
    }
    const there = await settled(setup, clusters);
    expectFates(known, there);
    await expectMadeOnce(setup, project, there);
    assert.ok((await logbook.close()) > 0);
    assert.deepEqual(logbook.errors, [], 'the driver noticed something');
  });
});

own.onSetup('PostgreSQL, two instances', 'a killed instance', (setup) => {
  test('leaves its clusters to the other instances', async (t) => {
    const project = await newProject(setup);
    const clusters = `${project}/clusters`;
    const cluster = `${clusters}/orphan`;
    const [first, second] = [setup.accountAt(0), setup.accountAt(1)];
    expectStatus(await first.post(clusters, clusterBody('orphan')), 201);
    await idle(first, cluster);
    await allowAccess(setup, project, cluster);
    const driver = await driverFor(setup, cluster, LONG_TIMEOUTS);
    t.after(() => driver.close());
    const logbook = keepLogbook(t, driver);
    await setup.instances[0]?.kill();
    expectStatus(await second.patch(cluster, { diskSizeGB: 20 }), 200);
    await idle(second, cluster);
    expectStatus(await second.delete(`${project}/databaseUsers/admin/sailor`), 204);
    await until(
      'the end of the user',
      async () => logbook.errors.length,
      (count) => count > 0,
    );
    expectStatus(await second.post(clusters, clusterBody('another')), 201);
    await idle(second, `${clusters}/another`);
    expectStatus(await second.delete(cluster), 202);
    await gone(second, cluster);
    await driver.close();
  });
});
