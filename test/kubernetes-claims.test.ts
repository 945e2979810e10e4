import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { backedUp, into, type RestoreDocument, type SnapshotDocument } from './support/backups.ts';
import type { Client } from './support/client.ts';
import { claimsOf, traitsOf } from './support/engine-claims.ts';
import { expectStatus, until } from './support/expect.ts';
import type { Json } from './support/kubernetes/fields.ts';
import { openGround } from './support/kubernetes/ground.ts';
import type { StoredObject } from './support/kubernetes/objects.ts';
import { type PlayedOperator, playedOperator } from './support/kubernetes/played-operator.ts';
import { scopeOf, temporaryFolder } from './support/service.ts';
import { openSetup } from './support/setups.ts';
import { applied, clusterBody, gone, type ListDocument, newProject } from './support/stage.ts';

/**
 * Tries each capability and each difference that `docs/engines.md` claims for clusters on Kubernetes. The test
 * plays the operator. It uses the emulated API server, or the real one that `npm run suites -- kubernetes` starts.
 */

const SHARDS = { accept: 'application/vnd.service.2024-08-05+json' };
const BUCKET = {
  ...{ type: 's3', s3: { bucket: 'logbooks', region: 'us-west-2' } },
  credentials: { AWS_ACCESS_KEY_ID: 'pilot', AWS_SECRET_ACCESS_KEY: 'the key of the storehouse' },
};

interface Tried {
  readonly owner: Client;
  readonly operator: PlayedOperator;
  /** The path of a project that no other trial uses. */
  readonly project: string;
}

type Trial = (tried: Tried) => Promise<void>;

/** The fields of a node in a resource. */
interface Nodes {
  readonly size: number;
  readonly configuration?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly resources: { readonly limits: object };
  readonly volumeSpec: {
    readonly persistentVolumeClaim: { readonly resources: { readonly requests: object } };
  };
}

type Replset = Nodes & { readonly hidden?: Nodes; readonly nonvoting?: Nodes };

const replsetsOf = ({ spec }: StoredObject) => spec?.replsets as readonly Replset[];
const first = (object: StoredObject) => replsetsOf(object)[0] as Replset;
const diskOf = ({ volumeSpec }: Nodes) => volumeSpec.persistentVolumeClaim.resources.requests;
const settingsIn = ({ configuration = '' }: Nodes) => parse(configuration) as unknown;

/** Waits until the resource of the cluster fulfils a condition, and returns it. */
const resourceOf = ({ operator, project }: Tried, holds?: (object: StoredObject) => boolean) =>
  operator.cluster(project, holds);

/** Creates a cluster, and reports its resource as ready. */
async function created(tried: Tried, body: object, headers = {}): Promise<string> {
  const { owner, operator, project } = tried;
  expectStatus(await owner.post(`${project}/clusters`, { name: 'trial', ...body }, headers), 201);
  await operator.ready(await resourceOf(tried));
  const cluster = `${project}/clusters/trial`;
  await ready(owner, cluster);
  return cluster;
}

const simple = (change: object = {}) => clusterBody('trial', change);

const ready = (owner: Client, cluster: string) =>
  until(
    'IDLE',
    async () => expectStatus<{ stateName: string; paused: boolean }>(await owner.get(cluster, SHARDS), 200),
    ({ stateName }) => stateName === 'IDLE',
  );

/** Waits until the resource fulfils a condition, reports it as ready, and waits until the cluster is idle. */
async function settled(
  tried: Tried,
  holds: (object: StoredObject) => boolean,
  status: Json = {},
): Promise<StoredObject> {
  const { owner, operator, project } = tried;
  const object = await resourceOf(tried, holds);
  await operator.ready(object, status);
  await ready(owner, `${project}/clusters/trial`);
  return object;
}

const region = (regionName: string, priority: number, nodeCount: number, more: object = {}) => ({
  ...{ providerName: 'AWS', regionName, priority },
  electableSpecs: { instanceSize: 'M30', nodeCount, diskSizeGB: 40 },
  ...more,
});

const shard = (...regionConfigs: object[]) => ({ regionConfigs });

const changesServers: Trial = async (tried) => {
  const { owner } = tried;
  const one = shard(region('US_EAST_1', 7, 3));
  const body = { clusterType: 'SHARDED', replicationSpecs: [one, one] };
  const cluster = await created(tried, body, SHARDS);
  const patch = async (change: object) => void expectStatus(await owner.patch(cluster, change, SHARDS), 200);
  const larger = shard(
    region('US_EAST_1', 7, 5, {
      electableSpecs: { instanceSize: 'M40', nodeCount: 5, diskSizeGB: 80 },
      readOnlySpecs: { instanceSize: 'M40', nodeCount: 2, diskSizeGB: 80 },
      analyticsSpecs: { instanceSize: 'M30', nodeCount: 1, diskSizeGB: 80 },
    }),
  );
  await patch({ replicationSpecs: [larger, larger, larger] });
  const grown = await settled(tried, (object) => replsetsOf(object).length === 3);
  for (const { size, resources, nonvoting, hidden, ...nodes } of replsetsOf(grown)) {
    assert.deepEqual([size, nonvoting?.size, hidden?.size], [5, 2, 1]);
    assert.deepEqual(resources.limits, { cpu: '4', memory: '16384Mi' });
    assert.deepEqual(hidden?.resources.limits, { cpu: '2', memory: '8192Mi' });
    assert.deepEqual(diskOf({ size, resources, ...nodes }), { storage: '80Gi' });
  }
  const lone = { electableSpecs: { instanceSize: 'M30', nodeCount: 1, diskSizeGB: 80 } };
  const wide = shard(
    region('US_EAST_1', 7, 1, lone),
    region('US_WEST_2', 6, 1, lone),
    region('EU_WEST_1', 5, 1, lone),
  );
  await patch({ replicationSpecs: [wide, wide, wide] });
  const spread = await settled(tried, (object) => JSON.stringify(first(object)).includes('eu-west-1'));
  assert.deepEqual(
    [first(spread).size, first(spread).nonvoting, first(spread).hidden],
    [3, undefined, undefined],
  );
  await patch({ redactClientLogData: true });
  const redacting = await settled(tried, (object) =>
    /redactClientLogData/.test(first(object).configuration ?? ''),
  );
  assert.partialDeepStrictEqual(settingsIn(first(redacting)), { security: { redactClientLogData: true } });
};

const determinesDisks: Trial = async (tried) => {
  const cluster = await created(tried, simple({ diskSizeGB: 20 }));
  assert.deepEqual(diskOf(first(await resourceOf(tried))), { storage: '20Gi' });
  expectStatus(await tried.owner.patch(cluster, { diskSizeGB: 30 }), 200);
  const larger = await settled(tried, ({ metadata }) => metadata.generation > 1);
  assert.deepEqual(diskOf(first(larger)), { storage: '30Gi' });
  assert.equal(larger.spec?.enableVolumeExpansion, true);
};

const image = (version: string) => (object: StoredObject) =>
  String(object.spec?.image).includes(`:${version}.`);

const changesVersions: Trial = async (tried) => {
  const cluster = await created(tried, simple({ dbMajorVersion: '7.0' }));
  assert.ok(image('7.0')(await resourceOf(tried)));
  expectStatus(await tried.owner.patch(cluster, { dbMajorVersion: '8.0' }), 200);
  await settled(tried, image('8.0'));
  // With this release system, the service chooses the version.
  const newest = { dbMajorVersion: undefined, versionReleaseSystem: 'CONTINUOUS' };
  expectStatus(await tried.owner.patch(cluster, newest), 200);
  await settled(tried, image('8.0'));
};

const options = ({ spec }: StoredObject) => spec?.upgradeOptions as { readonly setFCV?: boolean } | undefined;

const pins: Trial = async (tried) => {
  const { owner } = tried;
  const cluster = await created(tried, simple({ dbMajorVersion: '7.0' }));
  expectStatus(await owner.post(`${cluster}:pinFeatureCompatibilityVersion`, {}), 204);
  await settled(tried, (object) => options(object)?.setFCV === false);
  expectStatus(await owner.patch(cluster, { dbMajorVersion: '8.0' }), 200);
  assert.equal(options(await settled(tried, image('8.0')))?.setFCV, false);
  expectStatus(await owner.post(`${cluster}:unpinFeatureCompatibilityVersion`, undefined), 204);
  await settled(tried, (object) => options(object)?.setFCV === true);
};

const pauses: Trial = async (tried) => {
  const cluster = await created(tried, simple());
  for (const [paused, state] of [
    [true, 'paused'],
    [false, 'ready'],
  ] as const) {
    expectStatus(await tried.owner.patch(cluster, { paused }), 200);
    await settled(tried, ({ spec }) => spec?.pause === paused, { state });
    assert.equal((await ready(tried.owner, cluster)).paused, paused);
  }
};

/** Sets process arguments, and checks the configuration that the servers get. */
const setsArguments =
  (body: object, args: object, expected: object): Trial =>
  async (tried) => {
    const cluster = await created(tried, body, SHARDS);
    const before = (await resourceOf(tried)).metadata.generation;
    expectStatus(await tried.owner.patch(`${cluster}/processArgs`, args), 200);
    const object = await settled(tried, ({ metadata }) => metadata.generation > before);
    assert.partialDeepStrictEqual(settingsIn(first(object)), expected);
    assert.partialDeepStrictEqual(expectStatus(await tried.owner.get(`${cluster}/processArgs`), 200), args);
  };

const oneShard = { clusterType: 'SHARDED', replicationSpecs: [shard(region('US_EAST_1', 7, 3))] };
const replicaSet = { clusterType: 'REPLICASET', replicationSpecs: [shard(region('US_EAST_1', 7, 3))] };

interface UserEntry {
  readonly name: string;
  readonly passwordSecretRef: { readonly name: string; readonly key: string };
  readonly roles: readonly object[];
}

const usersOf = ({ spec }: StoredObject) => (spec?.users ?? []) as readonly UserEntry[];

async function passwordOf({ operator }: Tried, object: StoredObject, user: string) {
  const { name, key } = usersOf(object).find((one) => one.name === user)?.passwordSecretRef ?? {
    name: '',
    key: '',
  };
  return (await operator.secret(object.metadata.namespace ?? '', name))[key];
}

const PILOT = { username: 'pilot', password: 'the tide waits for nobody', databaseName: 'admin' };

const managesUsers: Trial = async (tried) => {
  const { owner, project } = tried;
  const cluster = await created(tried, simple());
  const actions = [{ action: 'FIND', resources: [{ db: 'harbour', collection: '' }] }];
  expectStatus(await owner.post(`${project}/customDBRoles/roles`, { roleName: 'guide', actions }), 200);
  const roles = [{ roleName: 'guide', databaseName: 'admin' }];
  expectStatus(await owner.post(`${project}/databaseUsers`, { ...PILOT, roles }), 201);
  const object = await settled(tried, (found) => usersOf(found).length === 1);
  await applied(owner, cluster);
  assert.deepEqual(usersOf(object)[0]?.roles, [{ name: 'guide', db: 'admin' }]);
  assert.equal(await passwordOf(tried, object, 'pilot'), PILOT.password);
  assert.deepEqual(object.spec?.roles, [
    {
      ...{ role: 'guide', db: 'admin', roles: [] },
      privileges: [{ actions: ['find'], resource: { db: 'harbour', collection: '' } }],
    },
  ]);
  expectStatus(await owner.delete(`${project}/databaseUsers/admin/pilot`), 204);
  const closed = await settled(tried, (found) => JSON.stringify(usersOf(found)).includes('portolan-closed'));
  assert.notEqual(await passwordOf(tried, closed, 'pilot'), PILOT.password);
  await applied(owner, cluster);
};

const completed = () => ({
  ...{ state: 'ready', size: '2.00MB', destination: 's3://logbooks/x', type: 'logical' },
  lastWriteAt: `${new Date().toISOString().slice(0, 19)}Z`,
});

async function taken({ owner, operator }: Tried, cluster: string): Promise<string> {
  const path = `${cluster}/backup/snapshots`;
  const { id } = expectStatus<SnapshotDocument>(await owner.post(path, { retentionInDays: 2 }), 200);
  await operator.end('snapshot', id, completed());
  const reply = await until(
    'the end of the snapshot',
    () => owner.get(`${path}/${id}`),
    (answer) => ['completed', 'failed'].includes(String(answer.json().status)),
  );
  assert.equal(expectStatus<SnapshotDocument>(reply, 200).status, 'completed');
  return id;
}

const takesSnapshots: Trial = async (tried) => {
  const { owner, operator } = tried;
  const cluster = await created(tried, simple(backedUp));
  const { policies } = expectStatus<{ policies: readonly { policyItems: readonly object[] }[] }>(
    await owner.get(`${cluster}/backup/schedule`),
    200,
  );
  assert.ok((policies[0]?.policyItems.length ?? 0) > 0);
  const id = await taken(tried, cluster);
  const { spec, metadata } = await operator.job('snapshot', id);
  const { name } = (await resourceOf(tried)).metadata;
  assert.partialDeepStrictEqual(spec, { clusterName: name, storageName: 'portolan', type: 'logical' });
  assert.deepEqual(metadata.finalizers, ['percona.com/delete-backup']);
};

/** Restores what a body describes, and checks the resource of the restore. */
async function restored(tried: Tried, cluster: string, body: object, expected: object): Promise<void> {
  const { owner, operator } = tried;
  const path = `${cluster}/backup/restoreJobs`;
  const { id } = expectStatus<RestoreDocument>(await owner.post(path, body), 200);
  assert.partialDeepStrictEqual((await operator.job('restore', id)).spec, expected);
  await operator.end('restore', id, { state: 'ready' });
  const reply = await until(
    'the end of the restore',
    () => owner.get(`${path}/${id}`),
    (answer) => answer.json().finishedAt !== undefined,
  );
  assert.equal(expectStatus<RestoreDocument>(reply, 200).failed, false);
  await ready(owner, cluster);
}

const restoresSnapshots: Trial = async (tried) => {
  const cluster = await created(tried, simple(backedUp));
  const id = await taken(tried, cluster);
  const body = { deliveryType: 'automated', ...into(tried.project, 'trial', id) };
  await restored(tried, cluster, body, { backupName: `snapshot-${id}` });
};

const restoresMoments: Trial = async (tried) => {
  const cluster = await created(tried, simple({ ...backedUp, pitEnabled: true }));
  const { spec } = await resourceOf(tried);
  assert.partialDeepStrictEqual(spec?.backup, { enabled: true, pitr: { enabled: true } });
  const id = await taken(tried, cluster);
  const { snapshotId: _, ...target } = into(tried.project, 'trial', id);
  const pointInTimeUTCSeconds = Math.floor(Date.now() / 1000);
  const date = new Date((pointInTimeUTCSeconds + 1) * 1000).toISOString().slice(0, 19).replace('T', ' ');
  const body = { deliveryType: 'pointInTime', ...target, pointInTimeUTCSeconds };
  await restored(tried, cluster, body, { backupName: `snapshot-${id}`, pitr: { type: 'date', date } });
};

const trials: Readonly<Record<string, Trial>> = {
  'Changes of nodes, regions, sizes, disks and settings of servers': changesServers,
  'Disks whose size the service determines': determinesDisks,
  'Changes of the version': changesVersions,
  'Pinning and unpinning the feature compatibility version': pins,
  'Pausing and resuming': pauses,
  'Process arguments': setsArguments(
    replicaSet,
    { noTableScan: true, transactionLifetimeLimitSeconds: 61 },
    { setParameter: { notablescan: true, transactionLifetimeLimitSeconds: 61 } },
  ),
  'Process arguments that servers accept only when they start': setsArguments(
    oneShard,
    { javascriptEnabled: false, chunkMigrationConcurrency: 3 },
    { security: { javascriptEnabled: false }, setParameter: { chunkMigrationConcurrency: 3 } },
  ),
  'Database users and custom roles of the project': managesUsers,
  'Snapshots with their schedules': takesSnapshots,
  'Restores of snapshots to the cluster': restoresSnapshots,
  'Continuous backup': restoresMoments,
};

/** A user who is older than the first cluster on Kubernetes needs a new password there. */
const storesPasswords: Trial = async (tried) => {
  const { owner, project } = tried;
  const roles = [{ roleName: 'read', databaseName: 'harbour' }];
  expectStatus(await owner.post(`${project}/databaseUsers`, { ...PILOT, roles }), 201);
  const cluster = await created(tried, simple());
  const reason = async () => {
    const reply = await owner.get(`${project}/events?eventType=CLUSTER_USERS_NOT_APPLIED`);
    return expectStatus<ListDocument<{ reason: string }>>(reply, 200).results[0]?.reason;
  };
  const told = await until('the event', reason, (text) => text !== undefined);
  assert.match(String(told), /^pilot: the service has not stored the password of this user/);
  const password = 'the tide has turned';
  expectStatus(await owner.patch(`${project}/databaseUsers/admin/pilot`, { password }), 200);
  const object = await settled(tried, (found) => usersOf(found).length === 1);
  assert.equal(await passwordOf(tried, object, 'pilot'), password);
  await applied(owner, cluster);
};

const differences: Readonly<Record<string, Trial>> = {
  'The service stores the passwords of database users, encrypted, because the servers do not accept SCRAM verifiers':
    storesPasswords,
};

describe('the capabilities of the engine kubernetes', { concurrency: true }, () => {
  const scope = scopeOf({ after });
  let open: () => Promise<Tried>;
  before(async () => {
    const ground = await openGround(scope);
    const backups = join(await temporaryFolder(scope), 'backups.json');
    await writeFile(backups, JSON.stringify(BUCKET));
    const { service } = ground.kubeconfigs;
    const settings = { engine: 'kubernetes', kubeconfig: service, 'kubernetes-backups': backups };
    const setup = await openSetup(scope, 'SQLite, one instance', { settings });
    setup.keepOutOfLogs(BUCKET.credentials.AWS_SECRET_ACCESS_KEY);
    const operator = playedOperator(ground);
    // Use the service account, because requests with Digest must not overlap.
    const caller = { ...setup, owner: setup.account };
    open = async () => ({ owner: setup.account, operator, project: await newProject(caller) });
  });

  test('each claim has a trial', async () => {
    assert.deepEqual(Object.keys(trials).sort(), (await claimsOf('kubernetes')).toSorted());
    assert.deepEqual(Object.keys(differences).sort(), (await traitsOf('kubernetes')).toSorted());
  });

  for (const [name, trial] of Object.entries({ ...trials, ...differences }))
    test(name, async () => trial(await open()));

  test('a deleted cluster ends when the operator has ended the nodes', async () => {
    const tried = await open();
    const cluster = await created(tried, simple());
    expectStatus(await tried.owner.delete(cluster), 202);
    const object = await resourceOf(tried, ({ metadata }) => metadata.deletionTimestamp !== undefined);
    await tried.operator.finish(object);
    await gone(tried.owner, cluster);
  });
});
