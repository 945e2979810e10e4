import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { backedUp } from './support/backups.ts';
import { checkLacks, migrationTo } from './support/engine-claims.ts';
import { expectStatus, until } from './support/expect.ts';
import { startApiServer } from './support/kubernetes/api-server.ts';
import type { StoredObject } from './support/kubernetes/objects.ts';
import { ready, resourceOf } from './support/kubernetes/resources.ts';
import { type Scope, scopeOf } from './support/service.ts';
import { openSetup } from './support/setups.ts';
import { applied, clusterBody, gone, idIn, idle, type ListDocument, nodes } from './support/stage.ts';

/** Starts a service whose new clusters run on Kubernetes, and an emulated API server. */
async function opened(scope: Scope) {
  const api = await startApiServer(scope);
  const settings = { engine: 'kubernetes', kubeconfig: api.kubeconfig };
  const setup = await openSetup(scope, 'SQLite, one instance', { settings });
  setup.keepOutOfLogs(api.token);
  // Use the service account, because requests with Digest must not overlap.
  const { account: owner, bootstrap, operator } = setup;
  const { groupId, orgId } = bootstrap;
  return { owner, operator, api, orgId, project: `/groups/${groupId}` };
}

let setup: Awaited<ReturnType<typeof opened>>;

type Replset = {
  readonly name: string;
  readonly size: number;
  readonly resources: { readonly limits: object };
};
interface UserEntry {
  readonly name: string;
  readonly passwordSecretRef: { readonly name: string; readonly key: string };
  readonly roles: readonly { readonly name: string }[];
}

const NO_STORAGE = 'the setting --kubernetes-backups names no storage';
const SHARDS = 'application/vnd.service.2024-08-05+json';
const AWS = { providerName: 'AWS', instanceSizeName: 'M10', regionName: 'US_EAST_1' };
const outage = { outageFilters: [{ cloudProvider: 'AWS', regionName: 'US_EAST_1', type: 'REGION' }] };

/** The role of a user that the project has deleted. */
const CLOSED = 'portolan-closed';

const replsetsOf = ({ spec }: StoredObject) => spec?.replsets as readonly Replset[];

async function events(cluster: string, type: string, project = setup.project) {
  const { owner } = setup;
  const { results } = expectStatus<
    ListDocument<{ clusterName?: string; eventTypeName: string; reason?: string }>
  >(await owner.get(`${project}/events?itemsPerPage=500`), 200);
  return results.filter(
    ({ clusterName, eventTypeName }) => clusterName === cluster && eventTypeName === type,
  );
}

/** Creates a project, so that changes of its users do not affect clusters of other tests. */
async function ownProject(name: string): Promise<string> {
  const { owner, orgId } = setup;
  return `/groups/${expectStatus<{ id: string }>(await owner.post('/groups', { name, orgId }), 200).id}`;
}

/** Creates a cluster, and reports its resource as ready. */
async function newCluster(name: string, change: object = {}, project = setup.project) {
  const { owner, operator, api } = setup;
  expectStatus(await owner.post(`${project}/clusters`, clusterBody(name, change)), 201);
  const object = await resourceOf(api, name);
  ready(api, object);
  const cluster = `${project}/clusters/${name}`;
  await idle(owner, cluster);
  return { owner, operator, api, project, cluster };
}

describe('clusters on Kubernetes', () => {
  const scope = scopeOf({ after });
  before(async () => {
    setup = await opened(scope);
  });

  describe('with an API server', { concurrency: true }, () => {
    test('a cluster becomes a resource, and is IDLE when the operator reports it ready', async () => {
      const { owner, api, project } = setup;
      expectStatus(await owner.post(`${project}/clusters`, clusterBody('Harbour')), 201);
      const object = await resourceOf(api, 'Harbour');
      const { name, namespace, labels } = object.metadata;
      assert.match(name, /^harbour-[a-z0-9]{6}$/);
      assert.equal(namespace, `portolan-${idIn(project)}`);
      assert.ok(api.namespaces().includes(namespace));
      const cluster = `${project}/clusters/Harbour`;
      const creating = expectStatus<{ id: string; stateName: string }>(await owner.get(cluster), 200);
      assert.equal(creating.stateName, 'CREATING');
      assert.equal(labels?.['portolan/cluster'], creating.id);
      const [replset] = replsetsOf(object);
      assert.deepEqual(
        [replset?.name, replset?.size, replset?.resources.limits, object.spec?.pause],
        ['rs0', 3, { cpu: '2', memory: '2048Mi' }, false],
      );
      ready(api, object);
      const { connectionStrings } = await idle(owner, cluster);
      const service = `${name}-rs0.${namespace}.svc.cluster.local`;
      const hosts = [0, 1, 2].map((index) => `${name}-rs0-${index}.${service}:27017`).join(',');
      assert.deepEqual(connectionStrings, {
        standard: `mongodb://${hosts}/?ssl=true&authSource=admin&replicaSet=rs0`,
        standardSrv: `mongodb+srv://${service}`,
      });
      const { dbVersion } = expectStatus<{ dbVersion: string }>(await owner.get(cluster), 200);
      assert.equal(dbVersion, '8.0.19');
    });

    test('a change of the size changes the resource, and a pause pauses it', async () => {
      const { owner, api, cluster } = await newCluster('Quay');
      const larger = {
        providerSettings: { providerName: 'AWS', instanceSizeName: 'M30', regionName: 'US_EAST_1' },
      };
      expectStatus(await owner.patch(cluster, larger), 200);
      const resized = await resourceOf(api, 'Quay', (object) => object.metadata.generation > 1);
      assert.deepEqual(replsetsOf(resized)[0]?.resources.limits, { cpu: '2', memory: '8192Mi' });
      assert.equal(expectStatus<{ stateName: string }>(await owner.get(cluster), 200).stateName, 'UPDATING');
      ready(api, resized);
      await idle(owner, cluster);
      expectStatus(await owner.patch(cluster, { paused: true }), 200);
      const paused = await resourceOf(api, 'Quay', ({ spec }) => spec?.pause === true);
      ready(api, paused, { state: 'paused' });
      assert.equal((await idle(owner, cluster)).paused, true);
    });

    test('a version changes the image, and a pin keeps the feature compatibility version', async () => {
      const { owner, api, cluster } = await newCluster('Sluice', { dbMajorVersion: '7.0' });
      const made = await resourceOf(api, 'Sluice');
      assert.match(String(made.spec?.image), /mongodb:7\.0\./);
      assert.deepEqual(made.spec?.upgradeOptions, { apply: 'disabled', setFCV: true });
      expectStatus(await owner.post(`${cluster}:pinFeatureCompatibilityVersion`, {}), 204);
      const options = (object: StoredObject) =>
        object.spec?.upgradeOptions as { setFCV?: boolean } | undefined;
      const pinned = await resourceOf(api, 'Sluice', (object) => options(object)?.setFCV === false);
      ready(api, pinned);
      await idle(owner, cluster);
      expectStatus(await owner.patch(cluster, { dbMajorVersion: '8.0' }), 200);
      const upgraded = await resourceOf(api, 'Sluice', ({ spec }) => /:8\.0\./.test(String(spec?.image)));
      assert.equal(options(upgraded)?.setFCV, false);
      ready(api, upgraded);
      await idle(owner, cluster);
      expectStatus(await owner.post(`${cluster}:unpinFeatureCompatibilityVersion`, undefined), 204);
      const free = await resourceOf(api, 'Sluice', (object) => options(object)?.setFCV === true);
      ready(api, free);
      await idle(owner, cluster);
    });

    test('a change by others is reported once and reverted; fields that others own stay', async () => {
      const { api } = await newCluster('Pier');
      const object = await resourceOf(api, 'Pier');
      const [replset] = replsetsOf(object);
      api.change(
        object,
        { spec: { pmm: { enabled: true }, pause: true, replsets: [{ ...replset, size: 5 }] } },
        'kubectl-edit',
      );
      const back = await resourceOf(api, 'Pier', ({ spec }) => spec?.pause === false);
      assert.equal(replsetsOf(back)[0]?.size, 3);
      assert.deepEqual(back.spec?.pmm, { enabled: true });
      ready(api, back);
      const [event, another] = await until(
        'the event',
        () => events('Pier', 'CLUSTER_RESOURCE_CHANGED'),
        (all) => all.length > 0,
      );
      assert.equal(event?.reason, 'kubectl-edit changed spec.pause, spec.replsets[0].size');
      assert.equal(another, undefined);
    });

    test('users and roles of the project are in the resource, and their passwords in a secret', async () => {
      const { owner, api, project, cluster } = await newCluster('Ferry', {}, await ownProject('Ferry'));
      const PASSWORDS = ['the tide waits for nobody', 'the tide has turned'];
      const [first, second] = PASSWORDS;
      const role = {
        roleName: 'pilot',
        actions: [{ action: 'FIND', resources: [{ db: 'harbour', collection: '' }] }],
      };
      expectStatus(await owner.post(`${project}/customDBRoles/roles`, role), 200);
      const body = { username: 'ferryman', password: first, databaseName: 'admin' };
      const roles = [{ roleName: 'pilot', databaseName: 'admin' }];
      expectStatus(await owner.post(`${project}/databaseUsers`, { ...body, roles }), 201);
      const user = `${project}/databaseUsers/admin/ferryman`;
      const users = ({ spec }: StoredObject) => (spec?.users ?? []) as readonly UserEntry[];
      const made = await resourceOf(api, 'Ferry', (object) => users(object).length > 0);
      assert.deepEqual(made.spec?.roles, [
        {
          ...{ role: 'pilot', db: 'admin', roles: [] },
          privileges: [{ actions: ['find'], resource: { db: 'harbour', collection: '' } }],
        },
      ]);
      const passwordOf = async (object: StoredObject) => {
        const [entry] = users(object);
        const { name = '', key = '' } = entry?.passwordSecretRef ?? {};
        const data = api.secret(object.metadata.namespace ?? '', name)?.data as Record<string, string>;
        return Buffer.from(data[key] ?? '', 'base64').toString();
      };
      assert.equal(await passwordOf(made), first);
      const status = async () =>
        expectStatus<{ changeStatus: string }>(await owner.get(`${cluster}/status`), 200).changeStatus;
      assert.equal(await status(), 'PENDING');
      ready(api, made);
      await applied(owner, cluster);
      expectStatus(await owner.patch(user, { password: second }), 200);
      const changed = await resourceOf(
        api,
        'Ferry',
        ({ metadata }) => metadata.generation > made.metadata.generation,
      );
      assert.equal(await passwordOf(changed), second);
      ready(api, changed);
      await applied(owner, cluster);
      expectStatus(await owner.delete(user), 204);
      const closed = await resourceOf(api, 'Ferry', (object) => users(object)[0]?.roles[0]?.name === CLOSED);
      assert.deepEqual(
        users(closed).map(({ name, roles: granted }) => [name, granted]),
        [['ferryman', [{ name: CLOSED, db: 'admin' }]]],
      );
      assert.ok(!PASSWORDS.includes(await passwordOf(closed)));
      ready(api, closed);
      await applied(owner, cluster);
      assert.deepEqual(await events('Ferry', 'CLUSTER_RESOURCE_CHANGED', project), []);
    });

    test('a user that the operator cannot create is reported in an event', async () => {
      const { owner, project } = await newCluster('Tug', {}, await ownProject('Tug'));
      const body = { username: 'tug@harbour', password: 'the tide waits for me', databaseName: 'admin' };
      const roles = [{ roleName: 'readWrite', databaseName: 'harbour' }];
      expectStatus(await owner.post(`${project}/databaseUsers`, { ...body, roles }), 201);
      const [event] = await until(
        'the event',
        () => events('Tug', 'CLUSTER_USERS_NOT_APPLIED', project),
        (all) => all.length > 0,
      );
      assert.match(
        event?.reason ?? '',
        /^tug@harbour: on this cluster, the name of a user may have up to \d+ /,
      );
    });

    test('missing nodes and errors make a cluster REPAIRING, until the operator reports it ready', async () => {
      const { owner, api, cluster } = await newCluster('Jetty');
      const object = await resourceOf(api, 'Jetty');
      ready(api, object, { state: 'initializing', replsets: { rs0: { size: 3, ready: 2 } } });
      await until(
        'REPAIRING',
        () => owner.get(cluster),
        (reply) => reply.json().stateName === 'REPAIRING',
      );
      const [lost] = await events('Jetty', 'CLUSTER_NODES_LOST');
      assert.equal(
        lost?.reason,
        'the operator reports the state initializing; 2 of 3 nodes of rs0 are ready',
      );
      ready(api, object);
      await idle(owner, cluster);
      assert.equal((await events('Jetty', 'CLUSTER_REPAIRED')).length, 1);
    });

    test('a deleted resource is created again', async () => {
      const { owner, api, cluster } = await newCluster('Mole');
      const object = await resourceOf(api, 'Mole');
      api.delete(object);
      api.finish(object);
      const again = await resourceOf(api, 'Mole', ({ metadata }) => metadata.uid !== object.metadata.uid);
      assert.equal(again.metadata.name, object.metadata.name);
      ready(api, again);
      await idle(owner, cluster);
    });

    test('a cluster survives lost watches, and versions that are too old to watch from', async () => {
      const { owner, api, cluster } = await newCluster('Wharf');
      api.interrupt();
      api.compact();
      expectStatus(await owner.patch(cluster, { paused: true }), 200);
      const object = await resourceOf(api, 'Wharf', ({ spec }) => spec?.pause === true);
      ready(api, object, { state: 'paused' });
      assert.equal((await idle(owner, cluster)).paused, true);
    });

    test('a deleted cluster deletes its resource, and ends when the operator has ended the nodes', async () => {
      const { owner, api, cluster } = await newCluster('Dock');
      expectStatus(await owner.delete(cluster), 202);
      const object = await resourceOf(
        api,
        'Dock',
        ({ metadata }) => metadata.deletionTimestamp !== undefined,
      );
      assert.deepEqual(object.metadata.finalizers, ['percona.com/delete-psmdb-pods-in-order']);
      assert.equal(expectStatus<{ stateName: string }>(await owner.get(cluster), 200).stateName, 'DELETING');
      api.finish(object);
      await gone(owner, cluster);
      const { namespace = '', name } = object.metadata;
      assert.equal(api.resource(namespace, name), undefined);
    });

    test('what docs/engines.md says that the engine lacks is rejected with the reason', async () => {
      const { owner, operator, cluster, project } = await newCluster('Buoy', { diskSizeGB: 20 });
      const processes = await owner.get(`${project}/processes?itemsPerPage=500`);
      const { results } = expectStatus<ListDocument<{ id: string; userAlias: string }>>(processes, 200);
      const [process] = results.filter(({ id }) => id.startsWith('buoy-'));
      assert.ok(process);
      const [host] = process.id.split(':');
      const made = (change: object, accept?: string) => () =>
        owner.post(
          `${project}/clusters`,
          { ...clusterBody('Raft', change) },
          accept === undefined ? {} : { accept },
        );
      const wide = { providerName: 'AWS', instanceSizeName: 'M30' };
      const zone = (zoneName: string, region: string, count = 3) => ({
        ...{ zoneName, numShards: 1, regionsConfig: { [region]: nodes(count, 7) } },
      });
      const config = (providerName: string, regionName: string, priority: number, nodeCount = 3) => ({
        ...{ providerName, regionName, priority },
        electableSpecs: { instanceSize: 'M30', nodeCount, diskSizeGB: 40 },
      });
      const shards =
        (...regionConfigs: object[]) =>
        () =>
          owner.post(
            `${project}/clusters`,
            { name: 'Raft', clusterType: 'REPLICASET', replicationSpecs: [{ regionConfigs }] },
            { accept: SHARDS },
          );
      const index = { collectionName: 'ships', database: 'harbour', name: 'default' };
      await checkLacks(
        'kubernetes',
        [
          () => owner.patch(cluster, { diskSizeGB: 10 }),
          () => owner.patch(cluster, { clusterType: 'SHARDED', providerSettings: { ...AWS, ...wide } }),
          made({
            ...{ clusterType: 'GEOSHARDED', diskSizeGB: 40, providerSettings: wide },
            replicationSpecs: [zone('East', 'US_EAST_1'), zone('West', 'US_WEST_2')],
          }),
          shards(config('AWS', 'US_EAST_1', 7, 3), config('GCP', 'CENTRAL_US', 6, 2)),
          shards(config('AWS', 'US_EAST_1', 7, 3), config('AWS', 'US_WEST_2', 6, 2)),
          shards({
            ...config('AWS', 'US_EAST_1', 7, 7),
            analyticsSpecs: { instanceSize: 'M30', nodeCount: 1 },
          }),
          made({
            providerSettings: {
              ...{ providerName: 'TENANT', backingProviderName: 'AWS' },
              ...{ instanceSizeName: 'M0', regionName: 'US_EAST_1' },
            },
          }),
          made({ providerSettings: { ...AWS, instanceSizeName: 'M40_NVME' }, ...backedUp }),
          made({
            ...{ diskSizeGB: 200 },
            providerSettings: { ...AWS, instanceSizeName: 'M30', diskIOPS: 6000, volumeType: 'PROVISIONED' },
          }),
          () => owner.patch(cluster, { autoScaling: { diskGBEnabled: true } }),
          () => owner.patch(cluster, { biConnector: { enabled: true } }),
          made({ dbMajorVersion: '5.0' }),
          () => owner.patch(`${cluster}/processArgs`, { oplogSizeMB: 2000 }),
          () => owner.patch(`${cluster}/processArgs`, { oplogMinRetentionHours: 5 }),
          () => owner.patch(`${cluster}/processArgs`, { defaultWriteConcern: '2' }),
          () => owner.post(`${cluster}/restartPrimaries`, {}),
          () => owner.post(`${cluster}/outageSimulation`, outage),
          () => owner.patch(cluster, { encryptionAtRestProvider: 'AWS' }),
          () => owner.get(`${project}/clusters/${host}/logs/db-audit-log.gz`),
          () => owner.post(`${project}/sampleDatasetLoad/Buoy`, {}),
          () => owner.post(`${cluster}/index`, { db: 'harbour', collection: 'ships', keys: [{ name: '1' }] }),
          () => owner.post(`${cluster}/fts/indexes`, index),
          () => owner.get(`${project}/hosts/${process.id}/fts/metrics`),
          () => owner.get(`${cluster}/search/deployment`),
          () => owner.post(`${project}/liveMigrations`, migrationTo('Buoy', idIn(project))),
          () =>
            owner.get(
              `${project}/processes/${process.id}/measurements?granularity=PT1M&period=PT1H&m=CONNECTIONS`,
            ),
          () => owner.get(`${project}/processes/${process.id}/databases`),
          () => owner.get(`${project}/processes/${process.id}/databases/admin`),
          () => owner.get(`${project}/clusters/${host}/logs/mongodb.gz`),
          () => owner.get(`${cluster}/performanceAdvisor/dropIndexSuggestions`),
          () => owner.get(`${project}/dbAccessHistory/clusters/Buoy`),
          () => owner.post(`${cluster}/commands`, { database: 'x', command: { ping: 1 } }),
          () =>
            operator.post('/operator/v1/faults', {
              ...{ groupId: idIn(project), clusterName: 'Buoy' },
              wire: { commands: ['insert'], errorCode: 91 },
            }),
        ],
        // Capabilities that these requests do not need. `test/kubernetes-backups` tests those of snapshots. Custom analyzers
        // need search indexes, which are rejected first. Requests for the access list concern the project, not a
        // cluster, and the list has no effect on the servers.
        [
          'Copies, exports and downloads of snapshots',
          'Custom analyzers that all search indexes of a cluster can use',
          'Restores while a snapshot is taken, and snapshots during a restore',
          'The access list of the project',
        ],
      );
      const reply = await owner.patch(cluster, backedUp);
      assert.equal(reply.json<{ parameters: string[] }>().parameters[3], NO_STORAGE);
      expectStatus(await owner.patch(`${cluster}/processArgs`, { noTableScan: true }), 200);
    });
  });

  /** This must be the last test, since all clusters of the service lose the API server. */
  test('while the API server does not respond, clusters are REPAIRING with the reason', async () => {
    const { owner, api, cluster } = await newCluster('Beacon');
    await api.stop();
    await until(
      'REPAIRING',
      () => owner.get(cluster),
      (reply) => reply.json().stateName === 'REPAIRING',
    );
    const [lost] = await events('Beacon', 'CLUSTER_NODES_LOST');
    assert.match(lost?.reason ?? '', /^the Kubernetes API does not respond: ./);
    await api.start();
    await idle(owner, cluster);
  });
});
