/** The reason of a refusal if the API does not know the kind of an object. */
export const KIND_MISSING = 'KindMissing';

type Verb = 'create' | 'delete' | 'get' | 'list' | 'patch' | 'watch';

interface Kind {
  readonly apiVersion: string;
  readonly plural: string;
  readonly verbs: readonly Verb[];
}

/**
 * The kinds of objects that the service uses, and the API verbs that it uses with each. The client and the manifest of
 * rights are derived from this table. To apply an object that does not exist, the API requires the verb `create` in
 * addition to `patch`.
 */
export const kinds = {
  Namespace: { apiVersion: 'v1', plural: 'namespaces', verbs: ['create', 'patch'] },
  PerconaServerMongoDB: {
    apiVersion: 'psmdb.percona.com/v1',
    plural: 'perconaservermongodbs',
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'watch'],
  },
  PerconaServerMongoDBBackup: {
    apiVersion: 'psmdb.percona.com/v1',
    plural: 'perconaservermongodbbackups',
    verbs: ['create', 'delete', 'get', 'list', 'patch'],
  },
  PerconaServerMongoDBRestore: {
    apiVersion: 'psmdb.percona.com/v1',
    plural: 'perconaservermongodbrestores',
    verbs: ['create', 'get', 'patch'],
  },
  Secret: { apiVersion: 'v1', plural: 'secrets', verbs: ['create', 'delete', 'patch'] },
  Service: { apiVersion: 'v1', plural: 'services', verbs: ['get'] },
} as const satisfies Readonly<Record<string, Kind>>;

/** The kinds of objects with which the service may use the verb `Done`. */
export type KindFor<Done extends Verb> = {
  [Name in keyof typeof kinds]: Done extends (typeof kinds)[Name]['verbs'][number] ? Name : never;
}[keyof typeof kinds];
