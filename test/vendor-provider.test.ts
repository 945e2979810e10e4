import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectStatus, until } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { newProject } from './support/stage.ts';

/** Tests what the vendor's Terraform provider sends, and what it expects in responses. */

type Document = Record<string, unknown>;

const LEGACY = '/api/atlas/v1.0';
const AWS = { providerName: 'AWS', regionName: 'US_EAST_1' };

onOneSetup('SQLite, one instance', "requests of the vendor's Terraform provider", (setup) => {
  /** Calls a path below the vendor's versioned base path. */
  const call = async (method: string, path: string, body?: object, version = '2024-08-05') =>
    setup.owner.send(method, `/api/atlas/v2${path}`, body, {
      accept: `application/vnd.atlas.${version}+json`,
    });
  const nodes = (instanceSize: string, place: object, more: object = {}) => ({
    ...place,
    priority: 7,
    electableSpecs: { instanceSize, nodeCount: 3 },
    ...more,
  });
  const cluster = (name: string, region: object, more: object = {}) => ({
    name,
    clusterType: 'REPLICASET',
    replicationSpecs: [{ regionConfigs: [region] }],
    ...more,
  });

  const idle = (path: string) =>
    until(
      'IDLE',
      async () => expectStatus<Document>(await setup.owner.get(path), 200),
      ({ stateName }) => stateName === 'IDLE',
    );

  test('settings of clusters that only the vendor has are stored, and can be removed', async () => {
    const path = `${await newProject(setup)}/clusters`;
    const copies = { useAwsTimeBasedSnapshotCopyForFastInitialSync: true };
    const given = { adaptiveCapacity: 'ENABLED', replicaSetScalingStrategy: 'WORKLOAD_TYPE', ...copies };
    const made = expectStatus<Document>(
      await call('POST', path, cluster('quay', nodes('M10', AWS), given)),
      201,
    );
    assert.partialDeepStrictEqual(made, given);
    const one = `${path}/quay`;
    await idle(one);
    assert.equal(
      expectStatus<Document>(await call('PATCH', one, { adaptiveCapacity: null }), 200).adaptiveCapacity,
      null,
    );
    assert.partialDeepStrictEqual(expectStatus<Document>(await call('GET', one), 200), {
      adaptiveCapacity: null,
      ...copies,
    });
    const neutral = expectStatus<Document>(await setup.owner.get(one), 200);
    assert.equal('adaptiveCapacity' in neutral, false);
    const google = nodes('M10', { providerName: 'GCP', regionName: 'CENTRAL_US' });
    const refused = await call('POST', path, cluster('pier', google, copies));
    assert.equal(refused.json().errorCode, 'AWS_TIME_BASED_SNAPSHOT_COPY_REQUIRES_AWS_NODES');
  });

  test('a shared cluster has the default process arguments', async () => {
    const path = `${await newProject(setup)}/clusters`;
    const free = { ...AWS, providerName: 'TENANT', backingProviderName: 'AWS' };
    const body = cluster('free', { ...free, priority: 7, electableSpecs: { instanceSize: 'M0' } });
    const none = cluster('none', { ...free, priority: 7 });
    const { detail } = (await call('POST', path, none)).json();
    assert.equal(detail, 'The required attribute electableSpecs was not specified.');
    expectStatus(await call('POST', path, body), 201);
    const read = expectStatus<Document>(await call('GET', `${path}/free/processArgs`), 200);
    assert.partialDeepStrictEqual(read, { javascriptEnabled: true, minimumEnabledTlsProtocol: 'TLS1_2' });
    const neutral = await setup.owner.get(`${path}/free/processArgs`);
    assert.equal(neutral.json().errorCode, 'TENANT_CLUSTER_PROCESS_ARGS_NOT_SUPPORTED');
  });

  test('a cluster in the legacy shape shows the limits of autoscaling, and a global one can be small', async () => {
    const path = `${await newProject(setup)}/clusters`;
    const zone = (zoneName: string, region: string) => ({
      zoneName,
      numShards: 1,
      regionsConfig: { [region]: { electableNodes: 3, priority: 7, readOnlyNodes: 0 } },
    });
    const body = {
      name: 'quay',
      clusterType: 'GEOSHARDED',
      diskSizeGB: 40,
      providerSettings: { providerName: 'AWS', instanceSizeName: 'M10' },
      replicationSpecs: [zone('west', 'US_EAST_1'), zone('east', 'EU_WEST_1')],
    };
    const neutral = await setup.owner.post(path, body);
    assert.equal(neutral.json().errorCode, 'SHARDING_NOT_SUPPORTED');
    const made = expectStatus<Document>(await setup.owner.post(LEGACY + path, body), 201);
    const { autoScaling } = made.providerSettings as { readonly autoScaling: object };
    assert.deepEqual(autoScaling, { compute: {} });
    assert.equal(made.numShards, undefined);
    assert.equal(
      expectStatus<Document>(await setup.owner.get(`/api/service/v1.0${path}/quay`), 200).numShards,
      2,
    );
    await idle(`${path}/quay`);
    const again = { numShards: 1, replicationSpecs: made.replicationSpecs };
    expectStatus(await setup.owner.patch(`${LEGACY}${path}/quay`, again), 200);
  });

  test('the autoscaling of analytics nodes is shown without such nodes only if a request contained it', async () => {
    const path = `${await newProject(setup)}/clusters`;
    const compute = { enabled: true, scaleDownEnabled: true, minInstanceSize: 'M10', maxInstanceSize: 'M30' };
    const scaling = { compute, diskGB: { enabled: true } };
    const shown = (document: Document) => {
      const [spec] = document.replicationSpecs as [{ regionConfigs: [Document] }];
      return spec.regionConfigs[0].analyticsAutoScaling;
    };
    const plain = cluster('quay', nodes('M10', AWS, { autoScaling: scaling }));
    assert.equal(shown(expectStatus<Document>(await call('POST', path, plain), 201)), undefined);
    const both = nodes('M10', AWS, { autoScaling: scaling, analyticsAutoScaling: scaling });
    const made = expectStatus<Document>(await call('POST', path, cluster('pier', both)), 201);
    assert.deepEqual(shown(made), scaling);
    await idle(`${path}/pier`);
    const { replicationSpecs } = cluster('pier', nodes('M20', AWS));
    const changed = expectStatus<Document>(await call('PATCH', `${path}/pier`, { replicationSpecs }), 200);
    assert.deepEqual(shown(changed), scaling);
  });

  test('a snapshot can be read and deleted as that of a replica set and of a sharded cluster', async () => {
    const path = `${await newProject(setup)}/clusters`;
    expectStatus(await call('POST', path, cluster('quay', nodes('M10', AWS), { backupEnabled: true })), 201);
    const backup = `${path}/quay/backup/snapshots`;
    await idle(`${path}/quay`);
    const { id } = expectStatus<Document>(await setup.owner.post(backup, {}), 200);
    const download = await call('POST', `${path}/quay/backup/restoreJobs`, { deliveryType: 'download' });
    assert.deepEqual([download.status, download.json().errorCode], [404, 'SNAPSHOT_NOT_FOUND']);
    const read = expectStatus<Document>(
      await call('GET', `${backup}/shardedCluster/${id}`, undefined, '2023-01-01'),
      200,
    );
    assert.deepEqual([read.id, read.members, read.snapshotIds], [id, [], []]);
    const neutral = await setup.owner.get(`${backup}/shardedCluster/${id}`);
    assert.equal(neutral.json().errorCode, 'INCORRECT_BACKUP_API_ENDPOINT');
    await until(
      'completed',
      async () => expectStatus<Document>(await setup.owner.get(`${backup}/${id}`), 200),
      ({ status }) => status === 'completed',
    );
    const deleted = call('DELETE', `${backup}/shardedCluster/${id}`, undefined, '2023-01-01');
    expectStatus(await deleted, 204);
  });

  test('an alert about stream processors has its threshold in metricThreshold', async () => {
    const path = `${await newProject(setup)}/alertConfigs`;
    const event = { eventTypeName: 'OUTSIDE_STREAM_PROCESSOR_METRIC_THRESHOLD', enabled: true };
    const notifications = [{ typeName: 'GROUP', intervalMin: 5, delayMin: 0, emailEnabled: true }];
    const metric = {
      metricName: 'STREAM_PROCESSOR_CHANGE_STREAM_LAG',
      mode: 'AVERAGE',
      units: 'NANOSECONDS',
    };
    const limit = { ...metric, operator: 'GREATER_THAN', threshold: 0 };
    const body = { ...event, notifications, metricThreshold: limit };
    const made = expectStatus<Document>(await call('POST', path, body), 201);
    assert.deepEqual([made.metricThreshold, made.threshold], [limit, undefined]);
    const one = `${path}/${made.id}`;
    const higher = { ...limit, threshold: 5 };
    const changed = await call('PUT', one, { ...body, metricThreshold: higher });
    assert.deepEqual(expectStatus<Document>(changed, 200).metricThreshold, higher);
    const neutral = expectStatus<Document>(await setup.owner.get(one), 200);
    assert.deepEqual([neutral.threshold, neutral.metricThreshold], [higher, undefined]);
  });

  test('a compliance policy accepts items with any interval', async () => {
    const project = await newProject(setup);
    const item = (frequencyType: string, frequencyInterval: number) => ({
      frequencyType,
      frequencyInterval,
      retentionUnit: 'months',
      retentionValue: 1,
    });
    const items = [item('hourly', 6), item('daily', 0), item('weekly', 0), item('monthly', 0)];
    const policy = {
      authorizedEmail: 'ada@example.com',
      authorizedUserFirstName: 'Ada',
      authorizedUserLastName: 'Quayle',
      scheduledPolicyItems: items,
      restoreWindowDays: 32,
    };
    const path = `${project}/backupCompliancePolicy`;
    const refused = await setup.owner.send('PUT', path, policy);
    assert.equal(refused.json().errorCode, 'BACKUP_COMPLIANCE_POLICY_SETTINGS_INVALID');
    const made = expectStatus<Document>(await call('PUT', path, policy, '2023-10-01'), 200);
    assert.partialDeepStrictEqual(made, { scheduledPolicyItems: items, restoreWindowDays: 32 });
    const backedUp = cluster('quay', nodes('M10', AWS), { backupEnabled: true });
    expectStatus(await call('POST', `${project}/clusters`, backedUp), 201);
    const { policies } = await until(
      'a schedule that meets the policy',
      async () =>
        expectStatus<Schedule>(await setup.owner.get(`${project}/clusters/quay/backup/schedule`), 200),
      (schedule) => schedule.policies[0].policyItems.some(({ frequencyType }) => frequencyType === 'monthly'),
    );
    assert.ok(policies[0].policyItems.every(({ frequencyInterval }) => frequencyInterval > 0));
  });

  test('an empty mail address removes the address, and an unknown value has the text of the vendor', async () => {
    const path = `/orgs/${setup.bootstrap.orgId}/settings`;
    const contacts = (address: string) => ({ operationsContact: address, securityContact: address });
    const set = contacts('watch@example.org');
    expectStatus(await setup.owner.patch(path, set), 200);
    const neutral = await setup.owner.patch(path, contacts(''));
    assert.equal(neutral.json().errorCode, 'INVALID_EMAIL_ADDRESS');
    assert.partialDeepStrictEqual(expectStatus(await setup.owner.get(path), 200), set);
    expectStatus(await call('PATCH', path, contacts(''), '2023-01-01'), 200);
    const { operationsContact, securityContact } = expectStatus<Document>(await setup.owner.get(path), 200);
    assert.deepEqual([operationsContact, securityContact], [null, null]);
    const body = cluster('quay', nodes('M1', AWS));
    const { detail } = (await call('POST', `${await newProject(setup)}/clusters`, body)).json();
    assert.equal(detail, 'An invalid enumeration value M1 was specified.');
  });

  test('access of employees can be granted until a date in the past, and is shown until it is revoked', async () => {
    const path = `${await newProject(setup)}/clusters`;
    expectStatus(await call('POST', path, cluster('quay', nodes('M10', AWS))), 201);
    const expirationTime = '2025-08-01T12:00:00Z';
    const grant = { grantType: 'CLUSTER_INFRASTRUCTURE', expirationTime };
    const neutral = await setup.owner.post(`${path}/quay:grantDbEmployeeAccess`, grant);
    assert.equal(neutral.json().errorCode, 'EXPIRATION_DATE_IN_PAST');
    expectStatus(await call('POST', `${path}/quay:grantMongoDBEmployeeAccess`, grant), 204);
    const shown = async () => {
      const document = expectStatus<Document>(await call('GET', `${path}/quay`), 200);
      return document.mongoDBEmployeeAccessGrant as Document | undefined;
    };
    assert.partialDeepStrictEqual(await shown(), grant);
    expectStatus(await call('POST', `${path}/quay:revokeMongoDBEmployeeAccess`), 204);
    assert.equal(await shown(), undefined);
  });

  test('a new notification keeps the id that its request contains', async () => {
    const path = `${await newProject(setup)}/alertConfigs`;
    const mail = { typeName: 'EMAIL', emailAddress: 'a@example.org', notifierId: '651dd9336afac13e1c112222' };
    const body = { eventTypeName: 'NO_PRIMARY', enabled: true, notifications: [mail, mail] };
    const ids = (reply: Document) =>
      (reply.notifications as Document[]).map(({ notifierId }) => notifierId === mail.notifierId);
    assert.deepEqual(ids(expectStatus<Document>(await call('POST', path, body), 201)), [true, false]);
    assert.deepEqual(ids(expectStatus<Document>(await setup.owner.post(path, body), 201)), [false, false]);
  });
});

interface Schedule {
  readonly policies: [
    { readonly policyItems: { readonly frequencyType: string; readonly frequencyInterval: number }[] },
  ];
}
