import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type Document, MongoClient } from 'mongodb';
import { adopt } from './support/adopted-cluster.ts';
import { otherServer } from './support/adopted-engine.ts';
import { backedUp, backupsOf, into } from './support/backups.ts';
import { allowAccess, driverFor, LONG_TIMEOUTS, newUser, SAILOR } from './support/drivers.ts';
import { claimsOf } from './support/engine-claims.ts';
import { setsArguments, sharedTrials, type Trial, type Tried } from './support/engine-trials.ts';
import { expectStatus, until } from './support/expect.ts';
import { linked, reportedProject, type SourceCluster, sourceCluster } from './support/migrations.ts';
import { type Scope, scopeOf } from './support/service.ts';
import { openSetup, own, type Setup } from './support/setups.ts';
import { applied, gone, idIn, idle, newCluster, newProject, nodes, uniqueName } from './support/stage.ts';

/** Tries each capability that `docs/engines.md` claims for the engines that run without Kubernetes. */

const AWS = { providerName: 'AWS', regionName: 'US_EAST_1' };
const SHARDS = { accept: 'application/vnd.service.2024-08-05+json' };
const continuous = { ...backedUp, pitEnabled: true };

/** Creates a cluster, and checks that it becomes idle. */
const creates =
  (change: object): Trial =>
  async ({ setup }) => {
    const cluster = await newCluster(setup, await newProject(setup), 'trial', change);
    expectStatus(await setup.owner.delete(cluster), 202);
    await gone(setup.owner, cluster);
  };

/** Creates a cluster whose shard has these regions, and checks that it becomes idle. */
const createsRegions =
  (...regionConfigs: object[]): Trial =>
  async ({ setup }) => {
    const { owner } = setup;
    const project = await newProject(setup);
    const body = { name: 'trial', clusterType: 'REPLICASET', replicationSpecs: [{ regionConfigs }] };
    expectStatus(await owner.post(`${project}/clusters`, body, SHARDS), 201);
    await until(
      'IDLE',
      async () => expectStatus(await owner.get(`${project}/clusters/trial`, SHARDS), 200),
      ({ stateName }) => stateName === 'IDLE',
    );
  };

/** Creates a cluster, changes it, and checks that the change appears in its document. */
const changes =
  (created: object, change: object): Trial =>
  async ({ setup }) => {
    const { owner } = setup;
    const cluster = await newCluster(setup, await newProject(setup), 'trial', created);
    expectStatus(await owner.patch(cluster, change), 200);
    const document = await idle(owner, cluster);
    assert.partialDeepStrictEqual(document, change);
  };

const config = (providerName: string, regionName: string, priority: number, nodeCount: number) => ({
  ...{ providerName, regionName, priority },
  electableSpecs: { instanceSize: 'M30', nodeCount, diskSizeGB: 40 },
});

const zone = (zoneName: string, region: string) => ({
  ...{ zoneName, numShards: 1, regionsConfig: { [region]: nodes(3, 7) } },
});

const wide = { ...AWS, instanceSizeName: 'M30' };

const pauses: Trial = async ({ setup }) => {
  const { owner } = setup;
  const cluster = await newCluster(setup, await newProject(setup), 'trial');
  for (const paused of [true, false]) {
    expectStatus(await owner.patch(cluster, { paused }), 200);
    assert.equal((await idle(owner, cluster)).paused, paused);
  }
};

const stopsNodes: Trial = async ({ setup: { owner, operator }, cluster }) => {
  const { connectionStrings } = await idle(owner, cluster);
  const hostnameAndPort = /\/\/([^,/]*)/.exec(connectionStrings.standard ?? '')?.[1];
  for (const running of [false, true]) {
    const reply = await operator.post(`/operator/v1${cluster}/instances`, { hostnameAndPort, running });
    assert.ok(reply.status < 300, reply.text);
  }
  await idle(owner, cluster);
};

const checksDisks: Trial = async ({ setup }) => {
  const project = await newProject(setup);
  const source = await newCluster(setup, project, 'large', { ...backedUp, diskSizeGB: 20 });
  await newCluster(setup, project, 'small', { diskSizeGB: 10 });
  const { id } = await backupsOf(setup).taken(source);
  const wanted = { deliveryType: 'automated', ...into(project, 'small', id) };
  const reply = await setup.owner.post(`${source}/backup/restoreJobs`, wanted);
  assert.match(reply.text, /the target has a disk of 10 GB, but the snapshot requires 20 GB/);
};

const restoresDuringSnapshots: Trial = async ({ setup, cluster, driver }) => {
  const { taken, restored } = backupsOf(setup);
  const ships = driver.db('harbour').collection('berths');
  await ships.insertOne({ name: 'Argo' });
  const { id } = await taken(cluster);
  const project = cluster.replace(/\/clusters\/.*$/, '');
  const [, { ended }] = await Promise.all([
    taken(cluster),
    restored(cluster, into(project, cluster.split('/').at(-1) ?? '', id)),
  ]);
  assert.equal(ended.failed, false, JSON.stringify(ended));
  await idle(setup.owner, cluster);
  assert.equal(await ships.countDocuments({ name: 'Argo' }), 1);
};

const limitsAddresses: Trial = async ({ setup }) => {
  const project = await newProject(setup);
  const cluster = await newCluster(setup, project, 'trial');
  await newUser(setup, project, SAILOR.username);
  await applied(setup.owner, cluster);
  const { connectionStrings } = await idle(setup.owner, cluster);
  const client = new MongoClient(connectionStrings.standard ?? '', {
    auth: SAILOR,
    serverSelectionTimeoutMS: 2_000,
  });
  await assert.rejects(client.connect());
  await client.close();
  expectStatus(await setup.owner.post(`${project}/accessList`, [{ ipAddress: '127.0.0.1' }]), 201);
  await applied(setup.owner, cluster);
  await (await driverFor(setup, cluster)).close();
};

const encrypts: Trial = async ({ setup }) => {
  const secretAccessKey = 'a secret key of the trial';
  setup.keepOutOfLogs(secretAccessKey);
  const project = await newProject(setup);
  const customerMasterKeyID = 'arn:aws:kms:us-east-1:123456789012:key/trial';
  const awsKms = {
    ...{ accessKeyID: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey, customerMasterKeyID },
    ...{ enabled: true, region: 'US_EAST_1' },
  };
  expectStatus(await setup.owner.patch(`${project}/encryptionAtRest`, { awsKms }), 200);
  const wanted = { ...backedUp, encryptionAtRestProvider: 'AWS' };
  const cluster = await newCluster(setup, project, 'trial', wanted);
  assert.partialDeepStrictEqual(await idle(setup.owner, cluster), wanted);
};

const audits: Trial = async ({ setup }) => {
  const { owner } = setup;
  const project = await newProject(setup);
  const cluster = await newCluster(setup, project, 'trial');
  expectStatus(await owner.patch(`${project}/auditLog`, { enabled: true, auditFilter: '{}' }), 200);
  await allowAccess(setup, project, cluster);
  const { connectionStrings } = await idle(owner, cluster);
  const driver = await driverFor(setup, cluster);
  try {
    const host = /\/\/([^:]*):/.exec(connectionStrings.standard ?? '')?.[1];
    await until(
      'an audit message',
      async () => {
        await driver.db('harbour').collection('ships').drop();
        const log = await owner.get(`${project}/clusters/${host}/logs/db-audit-log.gz`);
        return log.status === 200 ? gunzipSync(log.bytes).toString() : '';
      },
      (text) => text.includes('"atype"'),
    );
  } finally {
    await driver.close();
  }
};

const definesAnalyzers: Trial = async ({ setup: { owner }, cluster }) => {
  const analyzers = [{ name: 'whole', tokenizer: { type: 'keyword' } }];
  expectStatus(await owner.put(`${cluster}/fts/analyzers`, analyzers), 200);
  const shown = await owner.get(`${cluster}/fts/analyzers`);
  assert.match(shown.text, /whole/);
};

const measuresSearch: Trial = async ({ setup: { owner }, cluster }) => {
  const { connectionStrings } = await idle(owner, cluster);
  const process = /\/\/([^,/]*)/.exec(connectionStrings.standard ?? '')?.[1];
  const project = cluster.replace(/\/clusters\/.*$/, '');
  const found = expectStatus<Document>(await owner.get(`${project}/hosts/${process}/fts/metrics`), 200);
  assert.ok(found.indexMetrics.length > 0);
};

const hasSearchNodes: Trial = async ({ setup }) => {
  const cluster = await newCluster(setup, await newProject(setup), 'trial');
  const at = `${cluster}/search/deployment`;
  const specs = [{ instanceSize: 'S20_HIGHCPU_NVME', nodeCount: 2 }];
  expectStatus(await setup.owner.post(at, { specs }), 201);
  await until(
    'search nodes',
    () => setup.owner.get(at),
    (reply) => reply.json().stateName === 'IDLE',
  );
};

const runsCommands: Trial = async ({ setup: { owner }, cluster }) => {
  const command = { insert: 'commands', documents: [{ name: 'Argo' }] };
  const reply = await owner.post(`${cluster}/commands`, { database: 'harbour', command });
  assert.match(expectStatus(reply, 200) && reply.text, /"ok"/);
};

const declaresFaults: Trial = async ({ setup: { operator }, cluster, driver }) => {
  const [, , groupId, , clusterName] = cluster.split('/');
  const wire = { commands: ['insert'], errorCode: 11_601 };
  const FAULTS = '/operator/v1/faults';
  const { id } = expectStatus(await operator.post(FAULTS, { groupId, clusterName, wire }), 201);
  try {
    const insert = () => driver.db('harbour').command({ insert: 'faults', documents: [{}] });
    await until(
      'the declared error',
      () =>
        insert().then(
          () => undefined,
          (error) => error.code,
        ),
      (code) => code === 11_601,
    );
  } finally {
    expectStatus(await operator.delete(`${FAULTS}/${id}`), 204);
  }
};

const embeddedTrials: Readonly<Record<string, Trial>> = {
  ...sharedTrials,
  'Changes of nodes, regions, sizes, disks and settings of servers': changes({}, { diskSizeGB: 20 }),
  'Reducing the size of disks': changes({ diskSizeGB: 40 }, { diskSizeGB: 20 }),
  'Turning a replica set into a sharded cluster, and removing shards': changes(
    { providerSettings: wide },
    { clusterType: 'SHARDED' },
  ),
  'Several zones in a cluster': creates({
    ...{
      clusterType: 'GEOSHARDED',
      diskSizeGB: 40,
      providerSettings: { providerName: 'AWS', instanceSizeName: 'M30' },
    },
    replicationSpecs: [zone('East', 'US_EAST_1'), zone('West', 'US_WEST_2')],
  }),
  'Nodes at several providers': createsRegions(
    config('AWS', 'US_EAST_1', 7, 3),
    config('GCP', 'CENTRAL_US', 6, 2),
  ),
  'Regions of a shard with different numbers of electable, read-only or analytics nodes': createsRegions(
    config('AWS', 'US_EAST_1', 7, 3),
    config('AWS', 'US_WEST_2', 6, 2),
  ),
  'More than seven electable and analytics nodes in a shard': createsRegions({
    ...config('AWS', 'US_EAST_1', 7, 7),
    analyticsSpecs: { instanceSize: 'M30', nodeCount: 1 },
  }),
  'Free, flex and serverless clusters': creates({
    providerSettings: {
      ...{ providerName: 'TENANT', backingProviderName: 'AWS' },
      ...{ instanceSizeName: 'M0', regionName: 'US_EAST_1' },
    },
  }),
  'Disks whose size the service determines': checksDisks,
  'Sizes with local disks': creates({
    providerSettings: { ...AWS, instanceSizeName: 'M40_NVME' },
    ...backedUp,
  }),
  'Provisioned volumes': creates({
    ...{ diskSizeGB: 200 },
    providerSettings: { ...wide, diskIOPS: 6000, volumeType: 'PROVISIONED' },
  }),
  'Automatic scaling of sizes and disks': changes({}, { autoScaling: { diskGBEnabled: true } }),
  'Settings of the BI connector, of disk warming, of config servers and of the order in which nodes are scaled':
    changes({}, { biConnector: { enabled: true } }),
  'Version 5.0': creates({ dbMajorVersion: '5.0' }),
  'Changes of the version': changes({ dbMajorVersion: '7.0' }, { dbMajorVersion: '8.0' }),
  'Pausing and resuming': pauses,
  'Process arguments that servers accept only when they start': setsArguments({ javascriptEnabled: false }),
  'Process arguments for the size of the oplog, query statistics and the BI connector': setsArguments({
    oplogSizeMB: 2000,
  }),
  'Stopping single nodes, as in simulated outages': stopsNodes,
  'The access list of the project': limitsAddresses,
  'Encryption at rest with keys of the project': encrypts,
  'Audit messages': audits,
  'Custom analyzers that all search indexes of a cluster can use': definesAnalyzers,
  'Metrics of search indexes': measuresSearch,
  'Search nodes': hasSearchNodes,
  'Database commands with the rights of an API caller': runsCommands,
  'Restores while a snapshot is taken, and snapshots during a restore': restoresDuringSnapshots,
  'Declared faults of database commands': declaresFaults,
};

const scope: Scope = scopeOf({ after });
let source: SourceCluster;

before(async () => {
  source = await sourceCluster(scope, await openSetup(scope, 'SQLite, one instance'), 'old');
  await source.driver.db('fleet').collection('ships').insertOne({ name: 'Fram' });
});

/** Tries all capabilities that an engine has. `open` creates a cluster, and a driver with the rights of `Tried`. */
function tries(
  engine: string,
  trials: Readonly<Record<string, Trial>>,
  open: (setup: Setup, project: string) => Promise<Pick<Tried, 'cluster' | 'driver' | 'login'>>,
) {
  own.onOneSetup('SQLite, one instance', `the capabilities of the engine ${engine}`, (setup) => {
    let tried: Tried;
    before(async () => {
      await linked(scope, setup, [`old=${source.uri}`]);
      const { projectId } = await reportedProject(setup, 1);
      const opened = await open(setup, await newProject(setup));
      scope.after(() => opened.driver.close());
      tried = { ...opened, setup, source: { projectId, name: 'old' }, sourceDriver: source.driver };
      expectStatus(await setup.owner.patch(tried.cluster, continuous), 200);
      await idle(setup.owner, tried.cluster);
    });

    test('each claimed capability has a trial', async () => {
      assert.deepEqual(Object.keys(trials).sort(), (await claimsOf(engine)).toSorted());
    });
    for (const [name, trial] of Object.entries(trials)) test(name, () => trial(tried));
  });
}

tries('embedded', embeddedTrials, async (setup, project) => {
  const cluster = await newCluster(setup, project, uniqueName('fleet'));
  await allowAccess(setup, project, cluster);
  const login = async (username: string, password: string) => {
    await applied(setup.owner, cluster);
    return driverFor(setup, cluster, { ...LONG_TIMEOUTS, auth: { username, password } });
  };
  return { cluster, driver: await driverFor(setup, cluster, LONG_TIMEOUTS), login };
});

tries('adopted', sharedTrials, async (setup, project) => {
  const { uri } = await otherServer(scope);
  const body = { groupId: idIn(project), name: 'fleet', connectionString: uri };
  expectStatus(await adopt(setup, body), 201);
  const cluster = `${project}/clusters/fleet`;
  await idle(setup.owner, cluster);
  const login = async (username: string, password: string) => {
    await applied(setup.owner, cluster);
    return new MongoClient(uri, { ...LONG_TIMEOUTS, auth: { username, password }, authSource: 'admin' });
  };
  return { cluster, driver: new MongoClient(uri, LONG_TIMEOUTS), login };
});
