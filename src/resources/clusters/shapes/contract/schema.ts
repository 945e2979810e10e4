import Type from 'typebox';
import { entity } from '../../../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly, Tag } from '../../../../api/fields.ts';
import { clusterStates } from '../../model/states.ts';

/** The cluster in the contract's shape (contract 2.15, 2.18): one provider and one size for all nodes. */

export const CLUSTER_NAME_PATTERN = '^[a-zA-Z0-9][a-zA-Z0-9-]*$';

const optional = Type.Optional;
const flag = (options: object = {}) => optional(Type.Boolean({ default: false, ...options }));

const RegionNodes = Type.Object({
  analyticsNodes: optional(Type.Integer({ default: 0, minimum: 0 })),
  electableNodes: optional(Type.Integer({ default: 0, minimum: 0 })),
  priority: optional(Type.Integer({ default: 0, minimum: 0, maximum: 7 })),
  readOnlyNodes: optional(Type.Integer({ default: 0, minimum: 0 })),
});

/** Region name → nodes in it. */
const RegionsConfig = Type.Record(Type.String(), RegionNodes);

const ReplicationSpec = Type.Object({
  id: optional(Id()),
  numShards: optional(Type.Integer({ description: 'From 1 to 50.' })),
  regionsConfig: optional(RegionsConfig),
  zoneName: optional(Type.String()),
});

const ProviderSettings = Type.Object({
  autoScaling: optional(
    Type.Object({
      compute: optional(
        Type.Object({ maxInstanceSize: optional(Type.String()), minInstanceSize: optional(Type.String()) }),
      ),
    }),
  ),
  backingProviderName: optional(Choice(['AWS', 'AZURE', 'GCP'])),
  diskIOPS: optional(Type.Integer()),
  diskTypeName: optional(Type.String()),
  effectiveInstanceSizeName: readOnly(Type.String()),
  encryptEBSVolume: optional(Type.Boolean()),
  instanceSizeName: optional(Type.String()),
  providerName: optional(Choice(['AWS', 'AZURE', 'GCP', 'TENANT', 'FLEX', 'SERVERLESS'])),
  regionName: optional(Type.String()),
  volumeType: optional(Choice(['STANDARD', 'PROVISIONED'])),
});

const AutoScaling = Type.Object({
  compute: optional(
    Type.Object({ enabled: flag(), predictiveEnabled: optional(Type.Boolean()), scaleDownEnabled: flag() }),
  ),
  diskGBEnabled: flag(),
});

export const AdvancedConfiguration = Type.Object({
  customOpensslCipherConfigTls12: optional(Type.Array(Type.String(), { default: [] })),
  minimumEnabledTlsProtocol: optional(Choice(['TLS1_0', 'TLS1_1', 'TLS1_2', 'TLS1_3'])),
  tlsCipherConfigMode: optional(Choice(['CUSTOM', 'DEFAULT'])),
});

const BiConnector = Type.Object({
  enabled: flag(),
  readPreference: optional(Type.String()),
});

const PrivateEndpoint = Type.Object({
  connectionString: Type.String(),
  endpoints: Type.Array(
    Type.Object({ endpointId: Type.String(), providerName: Type.String(), region: Type.String() }),
  ),
  srvConnectionString: Type.String(),
  srvShardOptimizedConnectionString: optional(Type.String()),
  type: Type.String(),
});

const ConnectionStrings = Type.Object({
  awsPrivateLink: optional(Type.Record(Type.String(), Type.String())),
  awsPrivateLinkSrv: optional(Type.Record(Type.String(), Type.String())),
  private: optional(Type.String()),
  privateEndpoint: optional(Type.Array(PrivateEndpoint)),
  privateSrv: optional(Type.String()),
  standard: optional(Type.String()),
  standardSrv: optional(Type.String()),
});

const DbEmployeeAccessGrant = Type.Object({
  expirationTime: DateTime(),
  grantType: Type.String(),
});

export const Cluster = entity(
  Type.Object(
    {
      acceptDataRisksAndForceReplicaSetReconfig: optional(DateTime()),
      advancedConfiguration: optional(AdvancedConfiguration),
      autoScaling: optional(AutoScaling),
      backupEnabled: flag(),
      biConnector: optional(BiConnector),
      clusterType: optional(Choice(['REPLICASET', 'SHARDED', 'GEOSHARDED'], { default: 'REPLICASET' })),
      configServerManagementMode: optional(Choice(['PLATFORM_MANAGED', 'FIXED_TO_DEDICATED'])),
      configServerType: readOnly(Choice(['DEDICATED', 'EMBEDDED'])),
      connectionStrings: readOnly(ConnectionStrings),
      createDate: readOnly(DateTime()),
      dbEmployeeAccessGrant: readOnly(DbEmployeeAccessGrant),
      dbMajorVersion: optional(Type.String()),
      dbURI: readOnly(Type.String()),
      dbURIUpdated: readOnly(DateTime()),
      dbURIWithOptions: readOnly(Type.String()),
      dbVersion: readOnly(Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+$' })),
      diskSizeGB: optional(Type.Number()),
      diskWarmingMode: optional(Choice(['FULLY_WARMED', 'VISIBLE_EARLIER'], { default: 'FULLY_WARMED' })),
      encryptionAtRestProvider: optional(Choice(['NONE', 'AWS', 'AZURE', 'GCP'], { default: 'NONE' })),
      featureCompatibilityVersion: readOnly(Type.String()),
      featureCompatibilityVersionExpirationDate: readOnly(DateTime()),
      globalClusterSelfManagedSharding: flag(),
      groupId: readOnly(Id()),
      id: readOnly(Id()),
      labels: optional(Type.Array(Tag, { default: [] })),
      links: Links,
      name: optional(Type.String()),
      numShards: optional(Type.Integer({ default: 1 })),
      paused: flag(),
      pitEnabled: flag(),
      providerBackupEnabled: flag(),
      providerSettings: optional(ProviderSettings),
      replicaSetScalingStrategy: optional(
        Choice(['SEQUENTIAL', 'WORKLOAD_TYPE', 'NODE_TYPE'], { default: 'WORKLOAD_TYPE' }),
      ),
      replicationFactor: optional(Type.Integer({ default: 3 })),
      replicationSpec: optional(RegionsConfig),
      replicationSpecs: optional(Type.Array(ReplicationSpec)),
      rootCertType: optional(Choice(['ISRGROOTX1'], { default: 'ISRGROOTX1' })),
      srvAddress: readOnly(Type.String()),
      stateName: readOnly(Choice(clusterStates)),
      tags: optional(Type.Array(Tag, { default: [] })),
      terminationProtectionEnabled: flag(),
      versionReleaseSystem: optional(Choice(['LTS', 'CONTINUOUS'], { default: 'LTS' })),
    },
    { description: 'A deployment of one or more replica sets that drivers connect to.' },
  ),
  {
    name: 'cluster',
    self: 'getCluster',
    params: (c) => ({ groupId: c.groupId ?? '', clusterName: c.name ?? '' }),
  },
);
export type Cluster = Type.Static<typeof Cluster>;

export const ClusterStatus = entity(
  Type.Object({
    changeStatus: Choice(['PENDING', 'APPLIED'], {
      description: 'Whether every node enforces the current users and addresses of the project.',
    }),
    links: Links,
  }),
  { name: 'clusterStatus', self: 'getClusterStatus', params: () => ({}) },
);
