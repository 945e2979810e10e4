import { MANAGED, placeOf } from './names.ts';
import type { KubernetesObject } from './port.ts';
import type {
  BackupSettings,
  BackupStorage,
  ExportBucket,
  ExportStorage,
  ResourceSettings,
  WantedCluster,
} from './wanted.ts';

/** The name of the storage for all clusters in their resources. */
const COMMON = 'portolan';

/**
 * The name of the Kubernetes secret with the credentials of the storage for all clusters. Each namespace has one, because
 * a resource can refer only to secrets of its own namespace.
 */
const SECRET = 'portolan-backup-storage';

/**
 * The annotation with the versions of the credentials. With this annotation, a change of the credentials changes each
 * resource, so that the operator notices the change.
 */
const CREDENTIALS = 'portolan/backup-credentials';

/** A storage in the resource of a cluster, with the name of its secret. */
interface NamedStorage extends BackupStorage {
  readonly name: string;
  readonly secret: string;
}

const bucketOf = ({ fields: { bucket, container } }: BackupStorage) => String(bucket ?? container);

/** Returns the name of an export bucket in resources. Names of Kubernetes objects contain no dots and underscores here. */
export const exportStorageName = (storage: BackupStorage): string =>
  `${storage.type}-${bucketOf(storage).replace(/[^a-z0-9-]/g, '-')}`;

const exportStoragesOf = ({ projectId }: WantedCluster, { exportBuckets = [] }: BackupSettings) =>
  exportBuckets.filter((storage) => storage.projectId === projectId);

/** Returns the storages of a cluster, the one for all clusters first. Empty if the cluster has no backup. */
function storagesOf(wanted: WantedCluster, { backups }: ResourceSettings): readonly NamedStorage[] {
  if (wanted.backups === undefined || backups === undefined) return [];
  const others = exportStoragesOf(wanted, backups).map((storage) => {
    const name = exportStorageName(storage);
    return { ...storage, name, secret: `${SECRET}-${name}` };
  });
  return [{ ...backups, name: COMMON, secret: SECRET }, ...others];
}

/**
 * Returns the name of the storage for a new snapshot: the oldest export bucket of the project for which the settings
 * have a storage, or the storage for all clusters. `buckets` are the export buckets of the project, oldest first. A
 * cluster with continuous backup uses the storage for all clusters, because the operator archives the oplog only there.
 */
export function storageFor(
  wanted: WantedCluster,
  settings: BackupSettings,
  buckets: readonly ExportBucket[],
): string {
  if (wanted.backups?.continuous !== false) return COMMON;
  const known = exportStoragesOf(wanted, settings);
  for (const bucket of buckets) {
    const storage = known.find((one) => isFor(one, bucket));
    if (storage !== undefined) return exportStorageName(storage);
  }
  return COMMON;
}

const isFor = (storage: ExportStorage, { type, bucket, account }: ExportBucket) =>
  storage.type === type &&
  bucketOf(storage) === bucket &&
  account === storage.credentials?.AZURE_STORAGE_ACCOUNT_NAME;

/** Returns the fields of `spec` with which the operator takes snapshots. Empty for a cluster without backup. */
export function backupFieldsOf(wanted: WantedCluster, settings: ResourceSettings) {
  const storages = storagesOf(wanted, settings);
  if (storages.length === 0) return {};
  return {
    backup: {
      ...{ enabled: true, image: settings.backups?.image },
      storages: Object.fromEntries(
        storages.map((storage) => [
          storage.name,
          {
            ...fieldsOf(storage, wanted, settings),
            ...(storages.length > 1 && storage.name === COMMON ? { main: true } : {}),
          },
        ]),
      ),
      pitr: { enabled: wanted.backups?.continuous === true },
    },
  };
}

function fieldsOf(
  { type, fields, credentials, secret }: NamedStorage,
  wanted: WantedCluster,
  settings: ResourceSettings,
) {
  const { prefix, ...others } = fields;
  const place = placeOf(settings, wanted);
  return {
    type,
    [type]: {
      ...others,
      // Each cluster has its own prefix, because backup agents regard all archived oplogs below a prefix as oplogs of
      // their own cluster.
      prefix: [...(prefix === undefined ? [] : [prefix]), place.namespace, place.name].join('/'),
      ...(credentials === undefined ? {} : { credentialsSecret: secret }),
    },
  };
}

export function storageAnnotations(wanted: WantedCluster, settings: ResourceSettings) {
  const versions = storagesOf(wanted, settings).flatMap(({ credentials, credentialsVersion }) =>
    credentials === undefined ? [] : [credentialsVersion],
  );
  return versions.length === 0 ? {} : { [CREDENTIALS]: versions.join(',') };
}

/** Returns the secrets to which the storages of a cluster refer. */
export function storageSecretsOf(
  wanted: WantedCluster,
  settings: ResourceSettings,
): (KubernetesObject & { readonly data: object })[] {
  const { namespace } = placeOf(settings, wanted);
  return storagesOf(wanted, settings).flatMap(({ credentials, secret: name }) =>
    credentials === undefined
      ? []
      : [
          {
            ...{ apiVersion: 'v1', kind: 'Secret' },
            metadata: { name, namespace, labels: MANAGED },
            data: Object.fromEntries(
              Object.entries(credentials).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
            ),
          },
        ],
  );
}
