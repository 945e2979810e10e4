import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Client } from './support/client.ts';
import { expectStatus } from './support/expect.ts';
import { federationOf, workforce } from './support/federation.ts';
import { documentsOf } from './support/generated/run.ts';
import { pathIn, type Values, valuesFor } from './support/one-of-each.ts';
import { fieldsOf, type Versioned, withField, withReadOnlyFields } from './support/read-only-fields.ts';
import { onOneSetup, type Setup } from './support/setups.ts';
import { clusterBody, idle, uniqueName } from './support/stage.ts';
import { userBody } from './support/users.ts';

const REGION = { backingProviderName: 'AWS', regionName: 'US_EAST_1' };
const EMAIL = { typeName: 'EMAIL', emailAddress: 'watch@example.org' };
const AZURE = {
  platformAzureAppId: '11111111-2222-3333-4444-555555555555',
  servicePrincipalId: '22222222-2222-3333-4444-555555555555',
  tenantId: '33333333-2222-3333-4444-555555555555',
};
const ID = '0123456789abcdef01234567';
const days = (frequencyType: string, frequencyInterval: number) => ({
  frequencyType,
  frequencyInterval,
  retentionUnit: 'days',
  retentionValue: 9,
});

/** Bodies to which the test adds read-only fields. */
type Bodies = Readonly<Record<string, (accept: string | undefined, values: Values) => readonly unknown[]>>;

const container = () => [{ providerName: 'AWS', platformCidrBlock: '10.8.0.0/21', regionName: 'EU_WEST_1' }];
const peer = (_: unknown, { containerId = ID }: Values) => [
  {
    accepterRegionName: 'eu-west-1',
    awsAccountId: '123456789012',
    containerId,
    providerName: 'AWS',
    routeTableCidrBlock: '172.31.0.0/16',
    vpcId: 'vpc-0a1b2c',
  },
];

const isFormer = (accept: string | undefined) => accept === undefined || accept.includes('2023-01-01');
/** Whether a version has the contract's shape. Only the legacy path and the contract's own version have it. */
const isContract = (accept: string | undefined) => isFormer(accept) || accept?.includes('2025-03-12');

const regionConfigs = [
  {
    electableSpecs: { instanceSize: 'M10', nodeCount: 3 },
    readOnlySpecs: { instanceSize: 'M10', nodeCount: 0 },
    analyticsSpecs: { instanceSize: 'M10', nodeCount: 0 },
    priority: 7,
    providerName: 'AWS',
    regionName: 'US_EAST_1',
  },
];

function newClusterBody(accept: string | undefined, name: string) {
  if (isContract(accept)) return clusterBody(name, { replicationSpecs: undefined });
  return { name, clusterType: 'REPLICASET', replicationSpecs: [{ regionConfigs }] };
}

const migration = (accept: string | undefined, { groupId = '' }: Values) => [
  {
    destination: { clusterName: 'fleet', groupId, hostnameSchemaType: 'PUBLIC' },
    source: { clusterName: 'old', groupId, managedAuthentication: true, ssl: false },
    ...(isFormer(accept) ? { dropEnabled: false } : {}),
  },
];
const tenant = () => [
  {
    name: 'free',
    providerSettings: { providerName: 'AWS', instanceSizeName: 'M10', regionName: 'US_EAST_1' },
  },
];
const automated = (_: unknown, { groupId = '' }: Values) => [
  { deliveryType: 'automated', snapshotId: ID, targetClusterName: 'fleet', targetGroupId: groupId },
];
const endpoint = () => [{ regionName: 'US_EAST_1' }];
const address = () => [[{ ipAddress: '192.0.2.9' }]];
const configuration = () => [{ eventTypeName: 'NO_PRIMARY', notifications: [EMAIL] }];
const accessRole = () => [
  { providerName: 'AWS' },
  { providerName: 'AZURE', ...AZURE },
  { providerName: 'GCP' },
];
const integration = () => [{ type: 'SLACK', apiToken: 'xoxb-integration-token', channelName: 'bridge' }];
const roleMapping = (_: unknown, { orgId }: Values) => [
  { externalGroupName: uniqueName('pilots'), roleAssignments: [{ orgId, role: 'ORG_MEMBER' }] },
];
const index = () => [
  { collectionName: 'books', database: 'shop', name: 'words', mappings: { dynamic: true } },
];

const bodies: Bodies = {
  addProjectApiKey: () => [[{ roles: ['GROUP_READ_ONLY'] }]],
  authorizeCloudProviderAccessRole: () => [
    { providerName: 'AWS', iamAssumedRoleArn: 'arn:aws:iam::123456789012:role/exports' },
  ],
  createAlertConfiguration: configuration,
  createApiKeyAccessList: address,
  createBackupPrivateEndpoint: endpoint,
  createBackupRestoreJob: automated,
  createCloudProviderAccessRole: accessRole,
  createCluster: (accept) => [newClusterBody(accept, 'other')],
  createEncryptionAtRestPrivateEndpoint: endpoint,
  createExportBucket: (accept) => [
    { bucketName: 'exports', cloudProvider: 'AWS', iamRoleId: ID },
    ...(isFormer(accept) ? [] : [{ bucketName: 'exports', cloudProvider: 'GCP', roleId: ID }]),
  ],
  createFault: () => [{ request: { operations: ['getProject'], status: 503 } }],
  createFlexBackupRestoreJob: () => [{ snapshotId: ID, targetDeploymentItemName: 'bend' }],
  createFlexCluster: () => [{ name: 'other', providerSettings: REGION }],
  createIdentityProvider: () => [workforce()],
  createIntegration: integration,
  createPeeringConnection: peer,
  createPeeringContainer: container,
  createPlatformSearchIndexDeprecated: index,
  createProject: (_, { orgId }) => [{ name: uniqueName('project'), orgId }],
  createProjectServiceAccountAccessList: address,
  createPushMigration: migration,
  createRoleMapping: roleMapping,
  createServerlessBackupRestoreJob: automated,
  createServerlessInstance: () => [{ name: 'other', providerSettings: REGION }],
  createServiceAccountAccessList: address,
  createTeam: () => [{ name: uniqueName('team'), usernames: [] }],
  createUser: () => [userBody()],
  setProjectLimit: () => [{ value: 20 }],
  startOutageSimulation: () => [{ outageFilters: [{ cloudProvider: 'AWS', regionName: 'US_EAST_1' }] }],
  updateAlertConfiguration: configuration,
  updateAuditingConfiguration: () => [{ enabled: false }],
  updateBackupSchedule: () => [{ referenceHourOfDay: 3, referenceMinuteOfHour: 5 }],
  updateCluster: (accept) => [
    isContract(accept)
      ? { tags: [], providerSettings: clusterBody('').providerSettings }
      : { tags: [], replicationSpecs: [{ regionConfigs }] },
  ],
  updateConnectedOrgConfig: () => [{ domainRestrictionEnabled: false }],
  updateDataProtectionSettings: () => [
    {
      authorizedEmail: 'ada@example.com',
      authorizedUserFirstName: 'Ada',
      authorizedUserLastName: 'Quayle',
      onDemandPolicyItem: days('ondemand', 0),
      scheduledPolicyItems: [days('hourly', 6), days('daily', 1)],
    },
  ],
  updateEncryptionAtRest: () => [
    { awsKms: { enabled: false }, azureKeyVault: { enabled: false }, googleCloudKms: { enabled: false } },
  ],
  updateIdentityProvider: () => [{ displayName: 'Port' }],
  updateIntegration: integration,
  updateMaintenanceWindow: () => [{ dayOfWeek: 3, hourOfDay: 4 }],
  updateOrganization: () => [{ name: uniqueName('organization') }],
  updatePeeringConnection: peer,
  updatePeeringContainer: container,
  updatePlatformSearchIndexDeprecated: index,
  updatePushBasedLogExport: () => [{ bucketName: 'logs' }],
  updateRoleMapping: roleMapping,
  updateUser: () => [{}],
  upgradeFlexCluster: (accept) => [newClusterBody(accept, 'bend')],
  upgradeSharedCluster: tenant,
  upgradeSharedClusterToServerless: () => [{ name: 'free', providerSettings: REGION }],
  validateMigration: migration,
};

/** Creates one of each resource that the test changes. */
async function makeValues(setup: Setup): Promise<Values> {
  const values = await valuesFor(setup);
  const providerSettings = { ...REGION, providerName: 'TENANT', instanceSizeName: 'M0' };
  const free = { name: 'free', providerSettings };
  expectStatus(await setup.owner.post(`/groups/${values.groupId}/clusters`, free), 201);
  const { orgId = '' } = values;
  const federation = await federationOf({ key: setup.owner, id: orgId });
  const { id: identityProviderId, oktaIdpId } = await federation.provider();
  await federation.configure({ identityProviderId: oktaIdpId });
  const { id } = await federation.map(uniqueName('pilots'), [{ orgId, role: 'ORG_MEMBER' }]);
  return {
    ...values,
    cloudProvider: 'AWS',
    federationSettingsId: federation.id,
    identityProviderId,
    'federationSettings roleMappings': id,
  };
}

onOneSetup('SQLite, one instance', 'read-only fields of request bodies', (setup) => {
  let values: Values;
  let operations: Versioned[];

  before(async () => {
    values = await makeValues(setup);
    operations = withReadOnlyFields(await documentsOf(setup));
  });

  const pathOf = ({ operation }: Versioned) => pathIn(operation.template, values);
  const clientOf = ({ operation }: Versioned): Client =>
    operation.template.startsWith('/operator') ? setup.operator : setup.owner;
  const send = (one: Versioned, body: unknown) =>
    clientOf(one).send(one.operation.method, pathOf(one), body, one.accept ? { accept: one.accept } : {});
  const bodiesOf = ({ operation, accept }: Versioned) => bodies[operation.id]?.(accept, values) ?? [];

  test('cover every operation with such fields', () => {
    const ids = [...new Set(operations.map(({ operation }) => operation.id))].sort();
    assert.deepEqual(Object.keys(bodies), ids);
  });

  test('a value other than the present one is rejected in every version, unless the field is ignored', async () => {
    const accepted: string[] = [];
    const ignored = new Set<string>();
    for (const one of operations) {
      const { body: schema = {}, id, resolve } = one.operation;
      for (const body of bodiesOf(one)) {
        const fields = fieldsOf(schema, resolve, body);
        assert.ok(fields.length > 0, `${id} ${one.accept} ${JSON.stringify(body)}`);
        for (const field of fields) {
          if (field.ignored) ignored.add(`${id} ${field.path}`);
          else {
            const reply = await send(one, withField(body, field.path, 'another value'));
            const { errorCode, parameters } = reply.json();
            const answer = JSON.stringify([reply.status, errorCode, parameters]);
            if (answer !== JSON.stringify([400, 'ATTRIBUTE_READ_ONLY', [field.path]]))
              accepted.push(`${id} ${one.accept} ${field.path}: ${answer}`);
          }
        }
      }
    }
    assert.deepEqual(accepted, []);
    assert.deepEqual([...ignored], ['updateBackupSchedule clusterId', 'updateBackupSchedule nextSnapshot']);
  });

  test('an update that repeats the values of a response is not rejected as read-only', async () => {
    for (const one of operations) {
      const { body: schema = {}, id, method, resolve } = one.operation;
      if (method !== 'PATCH' && method !== 'PUT') continue;
      // Wait, since the state of a cluster must not change between the two requests.
      await idle(setup.owner, `/groups/${values.groupId}/clusters/fleet`);
      const found = await clientOf(one).get(pathOf(one), one.accept ? { accept: one.accept } : {});
      const shown = expectStatus(found, 200);
      for (const body of bodiesOf(one)) {
        const repeated = fieldsOf(schema, resolve, body)
          .filter(({ path }) => path in shown)
          .reduce((part, { path }) => withField(part, path, shown[path]), body);
        const { headers, text } = await send(one, repeated);
        assert.notEqual(headers.get('x-error-code'), 'ATTRIBUTE_READ_ONLY', `${id} ${one.accept}: ${text}`);
      }
    }
  });
});
