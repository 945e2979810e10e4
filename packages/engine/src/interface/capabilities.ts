/**
 * This file lists the capabilities of engines as data. Code for clusters must check whether the engine has a
 * capability, and must not check which engine it is. `docs/engines.md` contains these tables.
 */

/** The capabilities that an operation may need. Each text completes the sentence "The engine does not support …". */
export const capabilities = {
  topology: 'changes of nodes, regions, sizes, disks and settings of servers',
  smallerDisks: 'reducing the size of disks',
  resharding: 'turning a replica set into a sharded cluster, and removing shards',
  zones: 'several zones in a cluster',
  severalProviders: 'nodes at several providers',
  unevenRegions: 'regions of a shard with different numbers of electable, read-only or analytics nodes',
  manyVoters: 'more than seven electable and analytics nodes in a shard',
  sharedSizes: 'free, flex and serverless clusters',
  ownDisks: 'disks whose size the service determines',
  localDisks: 'sizes with local disks',
  provisionedVolumes: 'provisioned volumes',
  autoScaling: 'automatic scaling of sizes and disks',
  serverSettings:
    'settings of the BI connector, of disk warming, of config servers and of the order in which nodes are scaled',
  oldVersions: 'version 5.0',
  versions: 'changes of the version',
  compatibility: 'pinning and unpinning the feature compatibility version',
  pause: 'pausing and resuming',
  processArguments: 'process arguments',
  commandArguments: 'process arguments that servers accept only in commands',
  startArguments: 'process arguments that servers accept only when they start',
  firstStartArguments: 'process arguments for the size of the oplog, query statistics and the BI connector',
  failover: 'test failovers',
  stops: 'stopping single nodes, as in simulated outages',
  users: 'database users and custom roles of the project',
  addresses: 'the access list of the project',
  encryption: 'encryption at rest with keys of the project',
  auditing: 'audit messages',
  sampleData: 'sample data',
  indexes: 'rolling index builds',
  search: 'search indexes',
  searchAnalyzers: 'custom analyzers that all search indexes of a cluster can use',
  searchMetrics: 'metrics of search indexes',
  searchNodes: 'search nodes',
  snapshots: 'snapshots with their schedules',
  snapshotFiles: 'copies, exports and downloads of snapshots',
  restores: 'restores of snapshots to the cluster',
  parallelBackups: 'restores while a snapshot is taken, and snapshots during a restore',
  pointInTime: 'continuous backup',
  liveMigrations: 'live migrations to the cluster',
  measurements: 'measurements',
  databases: 'lists of databases',
  logs: 'logs, slow operations and suggested indexes',
  accessHistory: 'the access history',
  commands: 'database commands with the rights of an API caller',
  wireFaults: 'declared faults of database commands',
} as const satisfies Readonly<Record<string, string>>;

export type Capability = keyof typeof capabilities;

/**
 * The properties of a deployment, or settings of the engine, on which a capability can depend. If the engine did not
 * start the servers of a deployment itself, it detects these properties. Each text completes the sentence "The engine
 * has the capability if …".
 */
export const serverFacts = {
  log: 'its servers return their log in JSON by `getLog`, which returns about the last 1,000 lines',
  statistics: 'its servers report counters by `serverStatus`',
  replaceData:
    'it is a replica set or a sharded cluster with transactions, and the user in the connection string may write and drop all databases',
  stepDown:
    'it has replica sets, and the user in the connection string has the privilege to make their primaries step down; in a sharded cluster, the user needs it on the members of the shards',
  manageUsers:
    'its servers manage users and roles, and the user in the connection string has the privileges to create, change and drop them',
  receiveMigrations:
    'it is a replica set or a sharded cluster with transactions, and the user in the connection string may write and drop all databases and manage users',
  changeArguments:
    'its servers have process arguments that the user in the connection string may change while they run',
  changeCompatibility:
    'its servers report their feature compatibility version, and the user in the connection string may change it',
  searchIndexes: 'its servers have search indexes, and the user in the connection string may change them',
  changeStreams:
    'its servers have change streams of the version 6.0 or later, and the user in the connection string may open them',
  backupStorage: 'the setting `--kubernetes-backups` names a storage',
} as const satisfies Readonly<Record<string, string>>;

export type ServerFact = keyof typeof serverFacts;

/**
 * `true` if an engine has a capability. `needs` is the property that the deployment or the engine must have. `reason`
 * says why the engine, or a deployment without this property, lacks the capability.
 */
export type Ability = true | { readonly needs?: ServerFact; readonly reason: string };

/**
 * Differences between engines that affect how the service works, but that no operation needs. Each text is a sentence
 * about the clusters of an engine that has the trait.
 */
export const engineTraits = {
  storedPasswords:
    'The service stores the passwords of database users, encrypted, because the servers do not accept SCRAM verifiers',
  separateServers:
    'The service may be unable to connect to servers that run. They get changes of users and roles when they respond again',
  lastingServers:
    'The servers and their users remain when the cluster is deleted. The cluster therefore cannot be deleted during a live migration to it',
  continuedHistory:
    'Restores and gaps are part of one history: a restore writes to the servers as clients do, so continuous backup archives these writes',
} as const satisfies Readonly<Record<string, string>>;

export type EngineTrait = keyof typeof engineTraits;

export interface EngineKind {
  readonly summary: string;
  readonly traits: readonly EngineTrait[];
  readonly abilities: Readonly<Record<Capability, Ability>>;
}

const everything = Object.fromEntries(Object.keys(capabilities).map((name) => [name, true])) as Record<
  Capability,
  true
>;

const UNCONNECTED = 'the service does not connect to its servers';
const NO_ARGUMENTS =
  'its servers have no process arguments that the user in the connection string may change while they run';
const NO_STORAGE = 'the setting --kubernetes-backups names no storage';

export const engineKinds = {
  embedded: {
    summary:
      'The database engine of Portolan, which runs on the machines of the service. The members of a cluster share its files.',
    traits: [],
    abilities: everything,
  },
  adopted: {
    summary:
      'An existing deployment that speaks the wire protocol and runs outside Portolan. The service connects to it by its connection string. If the cluster is deleted, the data of the deployment remains.',
    traits: ['storedPasswords', 'separateServers', 'lastingServers', 'continuedHistory'],
    abilities: {
      topology: { reason: 'its servers are managed outside Portolan' },
      smallerDisks: { reason: 'its servers are managed outside Portolan' },
      resharding: { reason: 'its servers are managed outside Portolan' },
      zones: { reason: 'its servers are managed outside Portolan' },
      severalProviders: { reason: 'its servers are managed outside Portolan' },
      unevenRegions: { reason: 'its servers are managed outside Portolan' },
      manyVoters: { reason: 'its servers are managed outside Portolan' },
      sharedSizes: { reason: 'its servers are managed outside Portolan' },
      ownDisks: { reason: 'its disks are managed outside Portolan' },
      localDisks: { reason: 'its servers are managed outside Portolan' },
      provisionedVolumes: { reason: 'its servers are managed outside Portolan' },
      autoScaling: { reason: 'its servers are managed outside Portolan' },
      serverSettings: { reason: 'its servers are managed outside Portolan' },
      oldVersions: { reason: 'its servers are managed outside Portolan' },
      versions: { reason: 'its servers are managed outside Portolan' },
      compatibility: {
        needs: 'changeCompatibility',
        reason:
          'its servers do not report their feature compatibility version, or the user in the connection string may not change it',
      },
      pause: { reason: 'its servers are managed outside Portolan' },
      processArguments: { needs: 'changeArguments', reason: NO_ARGUMENTS },
      commandArguments: { needs: 'changeArguments', reason: NO_ARGUMENTS },
      startArguments: { reason: 'its servers are configured outside Portolan' },
      firstStartArguments: { reason: 'its servers are configured outside Portolan' },
      failover: {
        needs: 'stepDown',
        reason:
          'it has no replica sets, or the user in the connection string lacks the privilege to make their primaries step down, which in a sharded cluster the user needs on the members of the shards',
      },
      stops: { reason: 'its servers are managed outside Portolan' },
      users: {
        needs: 'manageUsers',
        reason:
          'its servers do not manage users and roles, or the user in the connection string lacks the privileges to do so',
      },
      addresses: { reason: 'its network is managed outside Portolan' },
      encryption: { reason: 'its disks are managed outside Portolan' },
      auditing: { reason: 'its servers are configured outside Portolan' },
      sampleData: true,
      indexes: true,
      search: {
        needs: 'searchIndexes',
        reason:
          'its servers have no search indexes, or the user in the connection string may not change them',
      },
      searchAnalyzers: { reason: 'its servers define custom analyzers in each search index' },
      searchMetrics: { reason: 'its servers do not report them' },
      searchNodes: { reason: 'its servers are managed outside Portolan' },
      snapshots: true,
      snapshotFiles: true,
      restores: {
        needs: 'replaceData',
        reason:
          'it is a standalone server, its servers have no transactions, or the user in the connection string may not write and drop all databases',
      },
      parallelBackups: { reason: 'its snapshots and restores copy one document after another' },
      pointInTime: {
        needs: 'changeStreams',
        reason:
          'its servers have no change streams of the version 6.0 or later, or the user in the connection string may not open them',
      },
      liveMigrations: {
        needs: 'receiveMigrations',
        reason:
          'it is a standalone server, its servers have no transactions, or the user in the connection string may not write and drop all databases and manage users',
      },
      measurements: { needs: 'statistics', reason: 'its servers do not report counters by serverStatus' },
      databases: true,
      logs: { needs: 'log', reason: 'its servers do not return their log by getLog' },
      accessHistory: { needs: 'log', reason: 'its servers do not return their log by getLog' },
      commands: { reason: 'its servers do not know the roles of the API' },
      wireFaults: { reason: 'its servers are managed outside Portolan' },
    },
  },
  kubernetes: {
    summary:
      'Servers on Kubernetes, run by the Percona operator for MongoDB. For each cluster, the service writes a Kubernetes resource, and reads the status of this resource. The service does not connect to the servers.',
    traits: ['storedPasswords'],
    abilities: {
      topology: true,
      smallerDisks: { reason: 'volumes only grow' },
      resharding: { reason: 'the Percona operator does not move data between shards' },
      zones: { reason: 'the Percona operator assigns no zones to shards' },
      severalProviders: { reason: 'its nodes are in one Kubernetes cluster' },
      unevenRegions: { reason: 'Kubernetes spreads the nodes evenly over the regions' },
      manyVoters: {
        reason: 'analytics nodes are hidden members that vote, and a replica set has at most seven votes',
      },
      sharedSizes: { reason: 'its containers are not shared with other clusters' },
      ownDisks: true,
      localDisks: { reason: 'its disks are persistent volume claims' },
      provisionedVolumes: { reason: 'the storage class determines the speed of volumes' },
      autoScaling: { reason: UNCONNECTED },
      serverSettings: { reason: 'its Kubernetes resource has no such settings' },
      oldVersions: { reason: 'the Percona operator does not run this version' },
      versions: true,
      compatibility: true,
      pause: true,
      processArguments: true,
      commandArguments: { reason: UNCONNECTED },
      startArguments: true,
      firstStartArguments: { reason: 'the Percona operator does not pass them to its servers' },
      failover: { reason: UNCONNECTED },
      stops: { reason: 'the Percona operator restarts nodes that stop' },
      users: true,
      addresses: { reason: 'network policies of Kubernetes decide who may connect' },
      encryption: { reason: 'the Percona operator encrypts its disks with a key that the operator creates' },
      auditing: { reason: UNCONNECTED },
      sampleData: { reason: UNCONNECTED },
      indexes: { reason: UNCONNECTED },
      search: { reason: UNCONNECTED },
      searchAnalyzers: { reason: UNCONNECTED },
      searchMetrics: { reason: UNCONNECTED },
      searchNodes: { reason: 'its Kubernetes resource has no search nodes' },
      snapshots: { needs: 'backupStorage', reason: NO_STORAGE },
      snapshotFiles: { reason: 'the Percona operator stores its snapshots' },
      restores: { needs: 'backupStorage', reason: NO_STORAGE },
      parallelBackups: { reason: 'the Percona operator carries out one snapshot or restore at a time' },
      pointInTime: { needs: 'backupStorage', reason: NO_STORAGE },
      liveMigrations: { reason: UNCONNECTED },
      measurements: { reason: UNCONNECTED },
      databases: { reason: UNCONNECTED },
      logs: { reason: UNCONNECTED },
      accessHistory: { reason: UNCONNECTED },
      commands: { reason: UNCONNECTED },
      wireFaults: { reason: UNCONNECTED },
    },
  },
} as const satisfies Readonly<Record<string, EngineKind>>;

export type EngineName = keyof typeof engineKinds;

/** An engine that can run new clusters. */
export type NewEngine = Exclude<EngineName, 'adopted'>;

/** The engine of clusters whose rows and hosts name no engine. */
export const defaultEngine: NewEngine = 'embedded';

/**
 * Returns why an engine lacks a capability for a deployment whose servers have these properties. Returns undefined if
 * it has the capability.
 */
export function lackOf(
  { abilities }: EngineKind,
  capability: Capability,
  facts: readonly ServerFact[],
): string | undefined {
  const ability = abilities[capability];
  if (ability === true) return undefined;
  if (ability.needs !== undefined && facts.includes(ability.needs)) return undefined;
  return ability.reason;
}
