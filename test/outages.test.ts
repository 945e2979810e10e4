import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { allowAccess, driverFor, LONG_TIMEOUTS, newUser, SAILOR, SHORT_TIMEOUTS } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { portThief } from './support/ports.ts';
import { own } from './support/setups.ts';
import {
  type ClusterDocument,
  clusterBody,
  gone,
  idIn,
  idle,
  type ListDocument,
  newCluster,
  newProject,
  nodes,
  twoRegions,
} from './support/stage.ts';
import { eventTypes } from './support/users.ts';

interface Outage {
  readonly clusterName: string;
  readonly groupId: string;
  readonly id: string;
  readonly outageFilters: readonly object[];
  readonly startRequestDate: string;
  readonly state: string;
}

const EAST = { cloudProvider: 'AWS', regionName: 'US_EAST_1', type: 'REGION' };
const WEST = { cloudProvider: 'AWS', regionName: 'US_WEST_2', type: 'REGION' };

/** Two nodes in the east, where the primary is, and one in the west. */
const regions = twoRegions(2, 1);

own.onOneSetup('SQLite, one instance', 'outage simulations', (setup) => {
  const at = (cluster: string) => `${cluster}/outageSimulation`;
  const start = async (cluster: string, ...outageFilters: object[]) =>
    expectStatus<Outage>(await setup.owner.post(at(cluster), { outageFilters }), 200);
  const inState = async (cluster: string, state: string) => {
    const reply = await until(
      `${cluster} ${state}`,
      () => setup.owner.get(at(cluster)),
      (answer) => answer.status !== 200 || answer.json().state === state,
    );
    return expectStatus<Outage>(reply, 200);
  };
  const availability = async (project: string) => {
    const reply = await setup.owner.get('/clusters?itemsPerPage=500');
    const { results } = expectStatus<ListDocument<{ groupId: string; clusters: { availability: string }[] }>>(
      reply,
      200,
    );
    return results.find(({ groupId }) => groupId === idIn(project))?.clusters.map((one) => one.availability);
  };
  const now = async () =>
    expectStatus<{ now: string }>(await setup.operator.get('/operator/v1/clock'), 200).now;
  const advance = async (seconds: number) => {
    const later = new Date(Date.parse(await now()) + seconds * 1000).toISOString();
    expectStatus(await setup.operator.patch('/operator/v1/clock', { now: later }), 200);
  };

  /** Returns the members in the status of the replica set. Reads the status as a user with the required privilege. */
  const statusOf = async (cluster: string) => {
    const auth = { username: 'watcher', password: SAILOR.password };
    const driver = await driverFor(setup, cluster, { auth, readPreference: 'primaryPreferred' });
    try {
      // Pass the read preference, since commands ignore the read preference of the connection.
      const readPreference = 'primaryPreferred';
      return await driver.db('admin').command({ replSetGetStatus: 1 }, { readPreference });
    } finally {
      await driver.close();
    }
  };

  test('a minority: writes continue, and the members return', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'quay', regions);
    await newUser(setup, project, 'watcher', {
      roles: [{ roleName: 'clusterMonitor', databaseName: 'admin' }],
    });
    await allowAccess(setup, project, cluster);
    const driver = await driverFor(setup, cluster, LONG_TIMEOUTS);
    try {
      const ships = driver.db('harbour').collection('ships');
      const before = await now();
      const {
        links: _,
        startRequestDate,
        id,
        ...started
      } = (await start(cluster, WEST)) as Outage & { links: unknown };
      assert.deepEqual(started, {
        clusterName: 'quay',
        groupId: idIn(project),
        outageFilters: [WEST],
        state: 'START_REQUESTED',
      });
      assert.match(id, /^[a-f0-9]{24}$/);
      assert.ok(before <= startRequestDate && startRequestDate <= (await now()), startRequestDate);
      await inState(cluster, 'SIMULATING');
      assert.deepEqual(await availability(project), ['warning']);
      assert.equal((await idle(setup.owner, cluster)).stateName, 'IDLE');
      await ships.insertOne({ name: 'Beagle' });
      const { members } = await statusOf(cluster);
      const out = members.filter(({ health }: { health: number }) => health === 0);
      assert.equal(out.length, 1);

      expectFault(
        await setup.owner.post(at(cluster), { outageFilters: [EAST] }),
        400,
        'INVALID_CLUSTER_OUTAGE_SIMULATION_STATE',
        ['SIMULATING', 'COMPLETE'],
      );
      expectFault(
        await setup.owner.delete(cluster),
        400,
        'CANNOT_TERMINATE_CLUSTER_WITH_UNDERGOING_REGIONAL_OUTAGE_SIMULATION',
        ['quay'],
      );
      const ending = expectStatus<Outage>(await setup.owner.delete(at(cluster)), 200);
      assert.equal(ending.state, 'RECOVERY_REQUESTED');
      await inState(cluster, 'COMPLETE');
      assert.deepEqual(await availability(project), ['available']);
      expectFault(await setup.owner.delete(at(cluster)), 400, 'INVALID_CLUSTER_OUTAGE_SIMULATION_STATE', [
        'COMPLETE',
        'SIMULATING',
      ]);
      const healthy = await statusOf(cluster);
      assert.ok(healthy.members.every(({ health }: { health: number }) => health === 1));
      assert.equal(await ships.countDocuments(), 1);
      await advance(61);
      await gone(setup.owner, at(cluster));
      assert.deepEqual(
        (await eventTypes(setup.owner, project)).filter((type) => type.includes('OUTAGE')),
        [
          'CLUSTER_REGIONAL_OUTAGE_SIMULATION_STARTED',
          'CLUSTER_REGIONAL_OUTAGE_SIMULATION_END_REQUESTED',
          'CLUSTER_REGIONAL_OUTAGE_SIMULATION_COMPLETED',
        ],
      );
    } finally {
      await driver.close();
    }
  });

  test('a majority: writes stop, an alert opens, and a forced change restores a primary', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'lost', regions);
    await allowAccess(setup, project, cluster);
    const driver = await driverFor(setup, cluster);
    const impatient = await driverFor(setup, cluster, SHORT_TIMEOUTS);
    try {
      const ships = driver.db('harbour').collection('ships');
      const insertion = () => impatient.db('harbour').collection('ships').insertOne({ name: 'Argo' });
      await ships.insertOne({ name: 'Beagle' });
      const alert = {
        eventTypeName: 'NO_PRIMARY',
        enabled: true,
        notifications: [{ typeName: 'GROUP', delayMin: 0, intervalMin: 5, emailEnabled: true }],
      };
      expectStatus(await setup.owner.post(`${project}/alertConfigs`, alert), 201);
      await start(cluster, EAST);
      await inState(cluster, 'SIMULATING');
      assert.deepEqual(await availability(project), ['unavailable']);
      await assert.rejects(insertion(), { name: 'MongoServerSelectionError' });
      assert.equal(await ships.countDocuments({}, { readPreference: 'secondaryPreferred' }), 1);
      await until(
        'NO_PRIMARY',
        async () =>
          expectStatus<ListDocument>(await setup.owner.get(`${project}/alerts?status=OPEN`), 200).results,
        (results) => results.some(({ eventTypeName }) => eventTypeName === 'NO_PRIMARY'),
      );
      const alone = {
        replicationSpecs: [{ ...(await specOf(cluster)), regionsConfig: { US_WEST_2: nodes(3, 7) } }],
      };
      expectStatus(await setup.owner.patch(cluster, alone), 200);
      await assert.rejects(insertion(), { name: 'MongoServerSelectionError' });
      assert.equal(expectStatus<ClusterDocument>(await setup.owner.get(cluster), 200).stateName, 'UPDATING');
      await inState(cluster, 'SIMULATING');

      const acceptDataRisksAndForceReplicaSetReconfig = new Date().toISOString();
      const forced = { ...alone, acceptDataRisksAndForceReplicaSetReconfig };
      expectStatus(await setup.owner.patch(cluster, forced), 200);
      await idle(setup.owner, cluster);
      await inState(cluster, 'COMPLETE');
      const again = await driverFor(setup, cluster);
      try {
        await again.db('harbour').collection('ships').insertOne({ name: 'Argo' });
        assert.equal(await again.db('harbour').collection('ships').countDocuments(), 2);
      } finally {
        await again.close();
      }
      assert.deepEqual(await availability(project), ['available']);
    } finally {
      await Promise.all([driver.close(), impatient.close()]);
    }
  });

  test('a majority: a normal change waits for the end, and a forced one does not', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'patient', regions);
    const moved = async (regionsConfig: object) => ({
      replicationSpecs: [{ ...(await specOf(cluster)), regionsConfig }],
    });
    await start(cluster, EAST);
    await inState(cluster, 'SIMULATING');
    expectStatus(
      await setup.owner.patch(cluster, await moved({ US_EAST_1: nodes(2, 6), US_WEST_2: nodes(3, 7) })),
      200,
    );
    assert.equal(expectStatus<ClusterDocument>(await setup.owner.get(cluster), 200).stateName, 'UPDATING');
    expectStatus(await setup.owner.delete(at(cluster)), 200);
    await inState(cluster, 'COMPLETE');
    await idle(setup.owner, cluster);
    assert.equal((await portsOf(cluster)).length, 5);

    await start(cluster, WEST);
    await inState(cluster, 'SIMULATING');
    assert.deepEqual(await availability(project), ['unavailable']);
    const acceptDataRisksAndForceReplicaSetReconfig = new Date().toISOString();
    const east = { ...(await moved({ US_EAST_1: nodes(3, 7) })), acceptDataRisksAndForceReplicaSetReconfig };
    expectStatus(await setup.owner.patch(cluster, east), 200);
    await idle(setup.owner, cluster);
    await inState(cluster, 'COMPLETE');
    assert.deepEqual(await availability(project), ['available']);
  });

  test('members that the operator has stopped stay stopped after an outage, in its regions too', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'kept', regions);
    await newUser(setup, project, 'watcher', {
      roles: [{ roleName: 'clusterMonitor', databaseName: 'admin' }],
    });
    await allowAccess(setup, project, cluster);
    const { connectionStrings } = expectStatus<{ connectionStrings: { standard: string } }>(
      await setup.owner.get(cluster),
      200,
    );
    const [first = '', second = '', west = ''] =
      /\/\/([^/]+)/.exec(connectionStrings.standard)?.[1]?.split(',') ?? [];
    const stopStart = async (hostnameAndPort: string, running: boolean) =>
      expectStatus(
        await setup.operator.post(`/operator/v1${cluster}/instances`, { hostnameAndPort, running }),
        202,
      );
    const out = async () => {
      const { members } = await statusOf(cluster);
      return members
        .filter(({ health }: { health: number }) => health === 0)
        .map(({ name }: { name: string }) => name);
    };
    const become = (...wanted: string[]) =>
      until(`${wanted} out`, out, (found) => JSON.stringify(found.sort()) === JSON.stringify(wanted.sort()));

    await stopStart(second, false);
    await become(second);
    await start(cluster, EAST);
    await inState(cluster, 'SIMULATING');
    await become(first, second);
    expectStatus(await setup.owner.delete(at(cluster)), 200);
    await inState(cluster, 'COMPLETE');
    assert.deepEqual(await out(), [second]);

    // The operator cannot start a member that an outage has stopped. The request only cancels the operator's own stop
    // of this member.
    await start(cluster, WEST);
    await inState(cluster, 'SIMULATING');
    await become(second, west);
    await stopStart(west, false);
    await stopStart(second, true);
    await stopStart(west, true);
    await become(west);
    expectStatus(await setup.owner.delete(at(cluster)), 200);
    await inState(cluster, 'COMPLETE');
    assert.deepEqual(await out(), []);
  });

  const portsOf = async (cluster: string) => {
    const { connectionStrings } = expectStatus<ClusterDocument>(await setup.owner.get(cluster), 200);
    return [...(connectionStrings.standard ?? '').matchAll(/:(\d+)/g)].map(([, port]) => Number(port));
  };

  test('ports of stopped members stay reserved, and a lost port is reported', async (t) => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'robbed', {
      ...regions,
      replicationSpecs: [
        {
          numShards: 1,
          regionsConfig: { US_EAST_1: nodes(1, 7), US_WEST_2: nodes(1, 6), EU_WEST_1: nodes(1, 5) },
          zoneName: 'Zone 1',
        },
      ],
    });
    await allowAccess(setup, project, cluster);
    const held = await portsOf(cluster);
    assert.equal(held.length, 3);
    const driver = await driverFor(setup, cluster);
    t.after(() => driver.close());
    const free = async (name: string) => {
      const others = await portsOf(await newCluster(setup, project, name));
      assert.ok(!others.some((port) => held.includes(port)), `${others} of ${held}`);
    };
    await start(cluster, EAST, WEST);
    await inState(cluster, 'SIMULATING');
    await free('meanwhile');
    await setup.stop();
    await setup.start();
    await free('later');
    assert.equal((await availability(project))?.[0], 'unavailable');

    const thief = await portThief(held[1] ?? 0);
    assert.ok(thief);
    t.after(() => thief.close());
    expectStatus(await setup.owner.delete(at(cluster)), 200);
    const stateOf = async () => expectStatus<ClusterDocument>(await setup.owner.get(cluster), 200).stateName;
    await until('REPAIRING', stateOf, (state) => state === 'REPAIRING');
    const eventsPath = `${project}/events?eventType=CLUSTER_NODES_LOST`;
    const { results } = expectStatus<ListDocument>(await setup.owner.get(eventsPath), 200);
    // On a machine that stalls, a healthy engine host responds too late, and its clusters are repaired.
    const reasons = results
      .map(({ reason }) => String(reason))
      .filter((one) => !/does not respond/.test(one));
    assert.deepEqual(reasons, [`port ${held[1]} of member shard-00-01 is taken by another program`]);
    await driver.db('harbour').collection('ships').insertOne({ name: 'Beagle' });
    assert.equal((await inState(cluster, 'RECOVERING')).state, 'RECOVERING');
    await thief.close();
    await inState(cluster, 'COMPLETE');
    await idle(setup.owner, cluster);
    const back = connect(held[1] ?? 0, '127.0.0.1');
    await once(back, 'connect');
    back.destroy();
  });

  const specOf = async (cluster: string) =>
    expectStatus<ClusterDocument>(await setup.owner.get(cluster), 200).replicationSpecs[0];

  test('end with a pause of the cluster, and automatically after three days', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'paused', regions);
    await start(cluster, WEST);
    await inState(cluster, 'SIMULATING');
    await advance(3 * 86_400 - 120);
    await inState(cluster, 'SIMULATING');
    await advance(121);
    await inState(cluster, 'COMPLETE');
    await start(cluster, EAST);
    await inState(cluster, 'SIMULATING');
    expectStatus(await setup.owner.patch(cluster, { paused: true }), 200);
    await inState(cluster, 'COMPLETE');
    expectFault(
      await setup.owner.post(at(cluster), { outageFilters: [EAST] }),
      409,
      'CANNOT_UPDATE_PAUSED_CLUSTER',
      ['paused'],
    );
    const [first, last] = (await eventTypes(setup.owner, project)).filter((type) =>
      /CANCELLED|END_REQ/.test(type),
    );
    assert.deepEqual(
      [last, first],
      [
        'CLUSTER_REGIONAL_OUTAGE_SIMULATION_CANCELLED_CLUSTER_PAUSE',
        'CLUSTER_REGIONAL_OUTAGE_SIMULATION_END_REQUESTED',
      ],
    );
    expectStatus(await setup.owner.delete(cluster), 202);
  });

  test('resume after a stop of the service', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'stopped', regions);
    await start(cluster, EAST);
    await setup.stop();
    await setup.start();
    await inState(cluster, 'SIMULATING');
    await until(
      'no primary',
      () => availability(project),
      (found) => found?.[0] === 'unavailable',
    );
    expectStatus(await setup.owner.delete(at(cluster)), 200);
    await setup.stop();
    await setup.start();
    await inState(cluster, 'COMPLETE');
    assert.deepEqual(await availability(project), ['available']);
  });

  test('rejects simulations that are impossible, by name', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'ruled');
    const refused = async (outageFilters: unknown, code: string, parameters: unknown[]) =>
      expectFault(await setup.owner.post(at(cluster), { outageFilters }), 400, code, parameters);
    const ended = { outageFilters: [EAST], clusterName: 'ruled', state: 'COMPLETE' };
    expectFault(await setup.owner.post(at(cluster), ended), 400, 'ATTRIBUTE_READ_ONLY', ['state']);
    await refused([], 'VALIDATION_ERROR', ['outageFilters must NOT have fewer than 1 items']);
    await refused([WEST], 'INVALID_ATTRIBUTE', ['outageFilters']);
    await refused([{ ...EAST, cloudProvider: 'GCP' }], 'INVALID_ATTRIBUTE', ['outageFilters']);
    await refused([EAST, { ...EAST, type: undefined }], 'INVALID_ATTRIBUTE', ['outageFilters']);
    await refused([{ ...EAST, type: 'ZONE' }], 'INVALID_ENUM_VALUE', ['ZONE']);
    expectFault(await setup.owner.get(at(cluster)), 404, 'RESOURCE_NOT_FOUND', [
      'an outage simulation of the cluster ruled',
    ]);
    expectStatus(
      await setup.owner.post(
        `${project}/clusters`,
        clusterBody('free', {
          providerSettings: {
            providerName: 'TENANT',
            backingProviderName: 'AWS',
            instanceSizeName: 'M0',
            regionName: 'US_EAST_1',
          },
        }),
      ),
      201,
    );
    expectFault(
      await setup.owner.post(at(`${project}/clusters/free`), { outageFilters: [EAST] }),
      400,
      'INSUFFICIENT_INSTANCE_SIZE',
      ['M10'],
    );
  });
});
