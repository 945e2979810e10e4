import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { MongoClient } from 'mongodb';
import { driverFor, SAILOR } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { useProcessors, withProcessorUse } from './support/processor-use.ts';
import { type HttpReceiver, httpReceiver } from './support/receivers.ts';
import { scopeOf } from './support/service.ts';
import { openSetup, type Setup } from './support/setups.ts';
import { applied, idIn, type ListDocument, newCluster, newProject } from './support/stage.ts';

interface AlertDocument {
  readonly alertConfigId: string;
  readonly clusterName?: string;
  readonly currentValue?: { readonly number: number; readonly units: string };
  readonly eventTypeName: string;
  readonly hostnameAndPort?: string;
  readonly id: string;
  readonly metricName?: string;
  readonly nonRunningHostIds?: readonly string[];
  readonly parentClusterId?: string;
  readonly replicaSetName?: string;
  readonly status: string;
}

interface ConfigurationDocument {
  readonly id: string;
  readonly enabled: boolean;
  readonly eventTypeName: string;
  readonly metricThreshold?: { readonly metricName: string };
}

/** Returns a short name for the condition of a default configuration. */
const nameOf = ({ eventTypeName, metricThreshold }: ConfigurationDocument) =>
  metricThreshold?.metricName ?? eventTypeName;

const MINUTE_S = 60;

describe('sources of alerts (SQLite, one instance)', () => {
  const setup = {} as Setup;
  let http = {} as HttpReceiver;
  const scope = scopeOf({ after });
  const folder = mkdtempSync(join(tmpdir(), 'processors-'));
  scope.after(() => rmSync(folder, { recursive: true, force: true }));
  const processors = join(folder, 'percent');
  before(async () => {
    http = await httpReceiver(scope);
    useProcessors(processors, 0);
    const settings = { 'allow-private-targets': true };
    const environment = withProcessorUse(processors);
    Object.assign(setup, await openSetup(scope, 'SQLite, one instance', { settings, environment }));
  });

  async function listed<T>(path: string): Promise<readonly T[]> {
    return expectStatus<ListDocument<T>>(await setup.owner.get(`${path}itemsPerPage=500`), 200).results;
  }

  const advance = async (seconds: number) =>
    expectStatus(await setup.operator.patch('/operator/v1/clock', { advanceSeconds: seconds }), 200);

  /**
   * Waits until a response is as expected. Each poll advances service time by a second, which makes the service sample
   * members and evaluate alerts.
   */
  const soon = <T>(what: string, ask: () => Promise<T>, fits: (answer: T) => boolean) =>
    until(
      what,
      async () => {
        await advance(1);
        return ask();
      },
      fits,
    );

  const bill = (facts: object) =>
    setup.operator.put(`/operator/v1/orgs/${setup.bootstrap.orgId}/billing`, facts);

  async function stopStart(cluster: string, hostnameAndPort: string, running: boolean): Promise<void> {
    const path = `/operator/v1${cluster}/instances`;
    expectStatus(await setup.operator.post(path, { hostnameAndPort, running }), 202);
  }

  /** Returns the addresses of the nodes of a cluster. */
  async function hostsOf(cluster: string): Promise<string[]> {
    const { connectionStrings } = expectStatus<{ connectionStrings: { standard: string } }>(
      await setup.owner.get(cluster),
      200,
    );
    return /\/\/([^/]+)/.exec(connectionStrings.standard)?.[1]?.split(',') ?? [];
  }

  async function letInAsAdmin(project: string, clusters: readonly string[]): Promise<void> {
    const roles = ['readWriteAnyDatabase', 'dbAdminAnyDatabase'].map((roleName) => ({
      roleName,
      databaseName: 'admin',
    }));
    const user = { ...SAILOR, databaseName: 'admin', roles };
    expectStatus(await setup.owner.post(`${project}/databaseUsers`, user), 201);
    expectStatus(await setup.owner.post(`${project}/accessList`, [{ ipAddress: '127.0.0.1' }]), 201);
    for (const cluster of clusters) await applied(setup.owner, cluster);
  }

  /** Replaces one document until the oplog (128 MiB) no longer has its first entries. */
  async function fillOplog(driver: MongoClient): Promise<void> {
    const freight = driver.db('harbour').collection<{ _id: number; cargo: string }>('freight');
    for (let n = 0; n < 10; n++)
      await freight.replaceOne({ _id: 1 }, { cargo: String(n).repeat(15 * 1024 ** 2) }, { upsert: true });
  }

  test('each default configuration opens and closes an alert for a real cause', async () => {
    const project = await newProject(setup);
    const configurations = await listed<ConfigurationDocument>(`${project}/alertConfigs?`);
    assert.equal(configurations.length, 11);
    const named = new Map(configurations.map(({ id, ...rest }) => [id, nameOf({ id, ...rest })]));
    // The test lowers these thresholds, since the defaults need hundreds of connections and gigabytes.
    for (const [name, threshold] of [
      ['CONNECTIONS_PERCENT', 1],
      ['DISK_PARTITION_SPACE_USED_DATA', 1],
    ] as const) {
      const configuration = configurations.find((each) => nameOf(each) === name);
      assert.ok(configuration?.metricThreshold);
      const metricThreshold = { ...configuration.metricThreshold, threshold };
      const path = `${project}/alertConfigs/${configuration.id}`;
      expectStatus(await setup.owner.put(path, { ...configuration, metricThreshold, links: undefined }), 200);
    }
    const statuses = async () => {
      const alerts = await listed<AlertDocument>(`${project}/alerts?`);
      return Object.fromEntries(alerts.map((alert) => [named.get(alert.alertConfigId) ?? '', alert.status]));
    };
    const all = (wanted: string, names: readonly string[], meanwhile = async () => {}) =>
      soon(
        `${names} ${wanted}`,
        async () => {
          await meanwhile();
          return statuses();
        },
        (found) => names.every((name) => found[name] === wanted),
      );

    const [cluster, sharded, lost] = await Promise.all([
      newCluster(setup, project, 'harbour'),
      newCluster(setup, project, 'fleet', { clusterType: 'SHARDED' }),
      newCluster(setup, project, 'lost'),
    ]);
    await letInAsAdmin(project, [cluster, sharded, lost]);
    const driver = await driverFor(setup, cluster, { minPoolSize: 40 });
    useProcessors(processors, 94);
    await all('OPEN', ['CONNECTIONS_PERCENT']);
    assert.equal((await statuses()).NORMALIZED_SYSTEM_CPU_USER, undefined);
    useProcessors(processors, 96);
    await all('OPEN', ['NORMALIZED_SYSTEM_CPU_USER']);
    await fillOplog(driver);
    const ships = driver.db('harbour').collection('ships');
    // Return many documents. Otherwise, other operations in the same minute, such as the check for missing indexes,
    // would hide the scan in the average.
    await ships.insertMany(Array.from({ length: 30_000 }, (_, n) => ({ name: `ship ${n}` })));
    await driver.db('harbour').command({ profile: 0, slowms: -1 });
    await ships.findOne({ name: 'ship 29999' });
    await driver.db('harbour').command({ profile: 0, slowms: 100 });
    const { now } = expectStatus<{ now: string }>(await setup.operator.get('/operator/v1/clock'), 200);
    expectStatus(await bill({ creditCardExpires: now.slice(0, 7) }), 200);
    const routers = await hostsOf(sharded);
    for (const router of routers) await stopStart(sharded, router, false);
    const [first = '', second = ''] = await hostsOf(lost);
    await stopStart(lost, first, false);
    await stopStart(lost, second, false);

    const delayed = [
      'CLUSTER_MONGOS_IS_MISSING',
      'HOST_HAS_INDEX_SUGGESTIONS',
      'NO_PRIMARY',
      'QUERY_TARGETING_SCANNED_OBJECTS_PER_RETURNED',
    ];
    const immediate = [
      'CONNECTIONS_PERCENT',
      'CREDIT_CARD_ABOUT_TO_EXPIRE',
      'DISK_PARTITION_SPACE_USED_DATA',
      'REPLICATION_OPLOG_WINDOW_RUNNING_OUT',
    ];
    await all('OPEN', immediate);
    const scan = async () => void (await ships.findOne({ name: 'ship 29999' }));
    await all('TRACKING', delayed, scan);
    const set = (await listed<AlertDocument>(`${project}/alerts?`)).find(
      ({ eventTypeName }) => eventTypeName === 'NO_PRIMARY',
    );
    assert.deepEqual([set?.nonRunningHostIds?.length, set?.clusterName], [2, 'lost']);
    assert.match(set?.replicaSetName ?? '', /-shard-0$/);
    assert.equal(set?.parentClusterId, (await setup.owner.get(lost)).json().id);
    // If members were sampled after a scan but before the clock changed, the alert has closed. Scan again, and wait for
    // the alert.
    await all('OPEN', [...immediate, ...delayed], async () => {
      await scan();
      await advance(16 * MINUTE_S);
    });

    await ships.createIndex({ name: 1 });
    for (const router of routers) await stopStart(sharded, router, true);
    await stopStart(lost, first, true);
    // The next oplog entry is then more than an hour later than the first one. This closes the alert about the oplog
    // window.
    await advance(120 * MINUTE_S);
    await ships.insertOne({ name: 'the last' });
    expectStatus(await setup.owner.patch(cluster, { diskSizeGB: 40 }), 200);
    expectStatus(await bill({ creditCardExpires: '2999-12' }), 200);
    await all(
      'CLOSED',
      [...immediate, ...delayed].filter((name) => name !== 'CONNECTIONS_PERCENT'),
      scan,
    );
    await driver.close();
    useProcessors(processors, 95);
    await all('CLOSED', ['CONNECTIONS_PERCENT', 'NORMALIZED_SYSTEM_CPU_USER']);
    const events = (await listed<{ eventTypeName: string }>(`${project}/events?`)).map(
      ({ eventTypeName }) => eventTypeName,
    );
    for (const name of [
      ...['NO_PRIMARY', 'ONE_PRIMARY', 'CREDIT_CARD_ABOUT_TO_EXPIRE', 'CREDIT_CARD_CURRENT'],
      ...['CLUSTER_MONGOS_IS_PRESENT', 'REPLICATION_OPLOG_WINDOW_HEALTHY', 'INSIDE_METRIC_THRESHOLD'],
      ...['PRIMARY_ELECTED', 'CLUSTER_INSTANCE_STOP_START'],
    ])
      assert.ok(events.includes(name), `${name} among ${[...new Set(events)]}`);

    const roles = [{ groupId: idIn(project), roleName: 'GROUP_READ_ONLY' }];
    const person = { firstName: 'Ada', lastName: 'Sail', country: 'SE', password: 'a compass and a chart' };
    const username = 'newcomer@example.org';
    expectStatus(
      await setup.owner.post('/users', { ...person, username, mobileNumber: '4670000001', roles }),
      200,
    );
    const inbox = `/operator/v1/notifications?groupId=${idIn(project)}&itemsPerPage=500`;
    await until(
      'who joined',
      async () =>
        expectStatus<ListDocument<{ subject: string }>>(await setup.operator.get(inbox), 200).results,
      (entries) => entries.some(({ subject }) => subject.startsWith('INFO: User joined the project')),
    );
  });

  test('a webhook reports a stopped primary and its return', async () => {
    const project = await newProject(setup, { withDefaultAlertsSettings: false });
    const webhook = { typeName: 'WEBHOOK', webhookUrl: `${http.url}/primary` };
    const configure = async (eventTypeName: string, more: object = {}) => {
      const body = { eventTypeName, enabled: true, notifications: [webhook], ...more };
      expectStatus(await setup.owner.post(`${project}/alertConfigs`, body), 201);
    };
    const cluster = await newCluster(setup, project, 'harbour');
    const [primary = ''] = await hostsOf(cluster);
    const matchers = [{ fieldName: 'HOSTNAME_AND_PORT', operator: 'EQUALS', value: primary }];
    await configure('HOST_DOWN', { matchers });
    await configure('PRIMARY_ELECTED');
    await configure('CLUSTER_INSTANCE_STOP_START');
    await configure('TOO_MANY_ELECTIONS', { threshold: { operator: 'GREATER_THAN', threshold: 0 } });
    await stopStart(cluster, primary, false);
    const eventTypes = () =>
      http.received.filter(({ path, body }) => path === '/primary' && body.groupId === idIn(project));
    const reasons = () =>
      eventTypes()
        .map(
          ({ headers, body }) =>
            `${body.eventTypeName} ${String(headers['x-mms-event']).replace('alert.', '')}`,
        )
        .sort();
    const begun = [
      'CLUSTER_INSTANCE_STOP_START inform',
      'HOST_DOWN open',
      'PRIMARY_ELECTED inform',
      'TOO_MANY_ELECTIONS open',
    ];
    // On a busy machine, another election may follow, and a receiver that replies late is notified again.
    await soon(
      'the beginning',
      async () => reasons(),
      (all) => begun.every((one) => all.includes(one)),
    );
    assert.deepEqual([...new Set(reasons())], begun);
    const alert = eventTypes().find(({ body }) => body.eventTypeName === 'HOST_DOWN')?.body;
    assert.equal(alert?.hostnameAndPort, primary);
    const acknowledgedUntil = '2100-01-01T00:00:00Z';
    expectStatus(await setup.owner.patch(`${project}/alerts/${alert?.id}`, { acknowledgedUntil }), 200);
    await stopStart(cluster, primary, true);
    await advance(2 * 3600);
    const ended = [
      'CLUSTER_INSTANCE_STOP_START inform',
      'HOST_DOWN acknowledge',
      'HOST_DOWN close',
      'TOO_MANY_ELECTIONS close',
    ];
    await soon(
      'the end',
      async () => reasons(),
      (all) => ended.every((one) => all.includes(one)),
    );
    const path = `/operator/v1${cluster}/instances`;
    expectFault(
      await setup.operator.post(path, { hostnameAndPort: '127.0.0.1:1', running: false }),
      400,
      'INVALID_ATTRIBUTE',
      ['hostnameAndPort'],
    );
    assert.equal((await setup.owner.post(path, { hostnameAndPort: primary, running: false })).status, 401);
  });

  test("alerts about bills are open while the operator's billing facts exceed the thresholds", async () => {
    const project = await newProject(setup, { withDefaultAlertsSettings: false });
    const notifications = [{ typeName: 'EMAIL', emailAddress: 'purser@example.org' }];
    for (const eventTypeName of ['DAILY_BILL_OVER_THRESHOLD', 'PENDING_INVOICE_OVER_THRESHOLD']) {
      const threshold = { operator: 'GREATER_THAN', threshold: 100 };
      const body = { eventTypeName, enabled: true, notifications, threshold };
      expectStatus(await setup.owner.post(`${project}/alertConfigs`, body), 201);
    }
    const facts = { creditCardExpires: '2999-12', dailyBill: 100.5, pendingInvoice: 99 };
    assert.deepEqual(expectStatus(await bill(facts), 200), facts);
    const path = `/operator/v1/orgs/${setup.bootstrap.orgId}/billing`;
    assert.deepEqual(expectStatus(await setup.operator.get(path), 200), facts);
    const statuses = async () =>
      (await listed<AlertDocument>(`${project}/alerts?`)).map(
        ({ eventTypeName, status, currentValue }) => `${eventTypeName} ${status} ${currentValue?.number}`,
      );
    await soon('the bill', statuses, (all) => all.join() === 'DAILY_BILL_OVER_THRESHOLD OPEN 100.5');
    expectStatus(await bill({ dailyBill: 100, pendingInvoice: 200 }), 200);
    const after = ['DAILY_BILL_OVER_THRESHOLD CLOSED 100.5', 'PENDING_INVOICE_OVER_THRESHOLD OPEN 200'];
    await soon('the invoice', statuses, (all) => all.join() === after.join());
    expectStatus(await bill({}), 200);
    await soon('the end', statuses, (all) => all.every((one) => one.includes('CLOSED')));
    assert.equal((await setup.owner.get(path)).status, 401);
  });

  test('unusable and old keys raise alerts until they are usable or replaced', async () => {
    const project = await newProject(setup, { withDefaultAlertsSettings: false });
    const notifications = [{ typeName: 'EMAIL', emailAddress: 'keeper@example.org' }];
    const threshold = { operator: 'GREATER_THAN', threshold: 90 };
    const configure = async (eventTypeName: string, more: object = {}) => {
      const body = { eventTypeName, enabled: true, notifications, ...more };
      expectStatus(await setup.owner.post(`${project}/alertConfigs`, body), 201);
    };
    await configure('ENCRYPTION_AT_REST_CONFIG_NO_LONGER_VALID');
    for (const provider of ['AWS', 'GCP'])
      for (const what of ['INVALID', 'NEEDS_ROTATION'])
        await configure(`${provider}_ENCRYPTION_KEY_${what}`, { threshold });
    const keys = join(setup.instances[0]?.dataDirectory ?? '', 'keys');
    const before = new Set(existsSync(keys) ? readdirSync(keys) : []);
    const name = async (key: string) => {
      const serviceAccountKey = '{"type":"service_account"}';
      const googleCloudKms = { enabled: true, keyVersionResourceID: key, serviceAccountKey };
      expectStatus(await setup.owner.patch(`${project}/encryptionAtRest`, { googleCloudKms }), 200);
    };
    await name('projects/p/first');
    const statuses = async () =>
      (await listed<AlertDocument>(`${project}/alerts?`))
        .map(({ eventTypeName, status }) => `${eventTypeName} ${status}`)
        .sort();
    const inStates = (...wanted: string[]) =>
      soon(`${wanted}`, statuses, (found) => found.join() === wanted.join());

    const [file = ''] = readdirSync(keys).filter((each) => !before.has(each));
    renameSync(join(keys, file), join(keys, `${file}.away`));
    await advance(5 * MINUTE_S);
    await inStates('ENCRYPTION_AT_REST_CONFIG_NO_LONGER_VALID OPEN', 'GCP_ENCRYPTION_KEY_INVALID OPEN');
    renameSync(join(keys, `${file}.away`), join(keys, file));
    await advance(5 * MINUTE_S);
    const over = ['ENCRYPTION_AT_REST_CONFIG_NO_LONGER_VALID CLOSED', 'GCP_ENCRYPTION_KEY_INVALID CLOSED'];
    await inStates(...over);
    await advance(91 * 24 * 60 * MINUTE_S);
    await inStates(...over, 'GCP_ENCRYPTION_KEY_NEEDS_ROTATION OPEN');
    await name('projects/p/second');
    await inStates(...over, 'GCP_ENCRYPTION_KEY_NEEDS_ROTATION CLOSED');
    const events = (await listed<{ eventTypeName: string }>(`${project}/events?`)).map(
      ({ eventTypeName }) => eventTypeName,
    );
    const told = events.filter((type) => /^GCP_|_VALID$/.test(type)).reverse();
    assert.deepEqual(told, [
      ...['GCP_ENCRYPTION_KEY_INVALID', 'ENCRYPTION_AT_REST_CONFIG_NO_LONGER_VALID'],
      ...['GCP_ENCRYPTION_KEY_VALID', 'ENCRYPTION_AT_REST_CONFIG_IS_VALID'],
      ...['GCP_ENCRYPTION_KEY_NEEDS_ROTATION', 'GCP_ENCRYPTION_KEY_ROTATED'],
    ]);
  });
});
