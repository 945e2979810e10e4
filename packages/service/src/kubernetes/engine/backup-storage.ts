import { MANAGED, placeOf } from './names.ts';
import type { KubernetesObject } from './port.ts';
import type { BackupSettings, ResourceSettings, WantedCluster } from './wanted.ts';

/** The name of the storage in the resources of clusters. */
export const STORAGE = 'portolan';

/**
 * The name of the Kubernetes secret with the credentials of the storage. Each namespace has one, because a resource can
 * refer only to secrets of its own namespace.
 */
const SECRET = 'portolan-backup-storage';

/**
 * The annotation with the version of the credentials. With this annotation, a change of the credentials changes each
 * resource, so that the operator notices the change.
 */
const CREDENTIALS = 'portolan/backup-credentials';

/** Returns the storage of a cluster; undefined if the cluster has no backup, or if no storage is configured. */
function storageOf({ backups }: WantedCluster, settings: ResourceSettings): BackupSettings | undefined {
  return backups === undefined ? undefined : settings.backups;
}

/** Returns the fields of `spec` with which the operator takes snapshots. Empty for a cluster without backup. */
export function backupFieldsOf(wanted: WantedCluster, settings: ResourceSettings) {
  const storage = storageOf(wanted, settings);
  if (storage === undefined) return {};
  const { image, type, fields, credentials } = storage;
  const { prefix, ...others } = fields;
  const place = placeOf(settings, wanted);
  return {
    backup: {
      ...{ enabled: true, image },
      storages: {
        [STORAGE]: {
          type,
          [type]: {
            ...others,
            // Each cluster has its own prefix, because backup agents regard all archived oplogs below a prefix as
            // oplogs of their own cluster.
            prefix: [...(prefix === undefined ? [] : [prefix]), place.namespace, place.name].join('/'),
            ...(credentials === undefined ? {} : { credentialsSecret: SECRET }),
          },
        },
      },
      pitr: { enabled: wanted.backups?.continuous === true },
    },
  };
}

export function storageAnnotations(wanted: WantedCluster, settings: ResourceSettings) {
  const storage = storageOf(wanted, settings);
  return storage?.credentials === undefined ? {} : { [CREDENTIALS]: storage.credentialsVersion };
}

/** Returns the secret to which the storage of a cluster refers; undefined if it refers to none. */
export function storageSecretOf(
  wanted: WantedCluster,
  settings: ResourceSettings,
): (KubernetesObject & { readonly data: object }) | undefined {
  const credentials = storageOf(wanted, settings)?.credentials;
  if (credentials === undefined) return undefined;
  const { namespace } = placeOf(settings, wanted);
  const data = Object.entries(credentials).map(([name, text]) => [
    name,
    Buffer.from(text).toString('base64'),
  ]);
  return {
    ...{ apiVersion: 'v1', kind: 'Secret' },
    metadata: { name: SECRET, namespace, labels: MANAGED },
    data: Object.fromEntries(data),
  };
}
