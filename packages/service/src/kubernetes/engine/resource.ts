import { backupFieldsOf, storageAnnotations } from './backup-storage.ts';
import { configurationOf } from './configuration.ts';
import { kinds } from './kinds.ts';
import { CLUSTER_LABEL, MANAGED, placeOf } from './names.ts';
import {
  countOf,
  labelsOf,
  placementOf,
  regionsWith,
  replicaSetOf,
  resourcesOf,
  routerPlacementOf,
  volumeOf,
} from './replica-set.ts';
import type { ResourceSettings, WantedCluster } from './wanted.ts';

export const KIND = 'PerconaServerMongoDB';

/** The name of the service as a field manager of server-side apply. */
export const FIELD_MANAGER = 'portolan';

/** The annotation with the revision of the users and roles in the resource. */
export const REVISION = 'portolan/access-revision';

/** A finalizer, with which the operator stops the pods one after another before it deletes them. */
export const ORDERLY = 'percona.com/delete-psmdb-pods-in-order';
/** A finalizer, with which the operator deletes the volumes, and the secret with the system users. */
export const WITH_VOLUMES = 'percona.com/delete-psmdb-pvc';

/** Size of config servers, which store only metadata. */
const CONFIG_SIZE = { processors: 1, memoryGB: 2 };
const CONFIG_DISK_GB = 10;
const CONFIG_NODES = 3;
const ROUTER_SIZE = { processors: 1, memoryGB: 1 };

/** The users and roles of a resource, and their revision. */
interface AccessFields {
  readonly revision: number;
  readonly fields: Readonly<Record<string, readonly unknown[]>>;
}

/** A resource as the service applies it. */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly finalizers: readonly string[];
  };
  readonly spec: Readonly<Record<string, unknown>>;
}

/**
 * Returns the resource of a cluster. It has only the fields that the service owns; the others belong to other managers.
 * Without `access`, it lacks the fields of users and roles.
 */
export function resourceOf(
  wanted: WantedCluster,
  settings: ResourceSettings,
  access?: AccessFields,
): Resource {
  const { name, namespace } = placeOf(settings, wanted);
  return {
    apiVersion: kinds[KIND].apiVersion,
    kind: KIND,
    metadata: {
      ...{ name, namespace },
      labels: { ...MANAGED, [CLUSTER_LABEL]: wanted.id },
      annotations: {
        'portolan/name': wanted.name,
        ...storageAnnotations(wanted, settings),
        ...(access === undefined ? {} : { [REVISION]: String(access.revision) }),
      },
      finalizers: [ORDERLY],
    },
    spec: {
      image: imageOf(wanted, settings),
      pause: wanted.paused,
      tls: { mode: 'requireTLS' },
      // The operator must not upgrade the servers itself, since the row of the cluster determines the version.
      upgradeOptions: { apply: 'disabled', setFCV: !wanted.isPinned },
      // Without this, the operator does not enlarge volumes.
      enableVolumeExpansion: true,
      ...(settings.expose === 'none' ? {} : { clusterServiceDNSMode: 'External' }),
      replsets: wanted.shards.map((_, shard) => replicaSetOf(wanted, shard, name, settings)),
      sharding: wanted.isSharded ? shardingOf(wanted, name, settings) : { enabled: false },
      ...backupFieldsOf(wanted, settings),
      ...access?.fields,
    },
  };
}

function imageOf({ majorVersion }: WantedCluster, { images }: ResourceSettings): string {
  const image = images[majorVersion];
  if (image === undefined) throw new Error(`no image is configured for version ${majorVersion}`);
  return image;
}

/** Runs one router for each data node, as on engine hosts. */
function shardingOf(wanted: WantedCluster, name: string, settings: ResourceSettings) {
  const regions = regionsWith(wanted.shards[0]?.regions ?? [], 'electable');
  const nodes = wanted.shards.reduce(
    (sum, shard) =>
      sum +
      countOf(shard.regions, 'electable') +
      countOf(shard.regions, 'readOnly') +
      countOf(shard.regions, 'analytics'),
    0,
  );
  const configuration = configurationOf(wanted, 'router');
  return {
    enabled: true,
    configsvrReplSet: {
      size: CONFIG_NODES,
      ...placementOf(regions, labelsOf(name, 'cfg', 'cfg'), settings),
      resources: resourcesOf(CONFIG_SIZE),
      volumeSpec: volumeOf(CONFIG_DISK_GB, settings),
      ...(settings.expose === 'none' ? {} : { expose: { enabled: true, type: settings.expose } }),
    },
    mongos: {
      size: nodes,
      ...routerPlacementOf(regions, settings),
      resources: resourcesOf(ROUTER_SIZE),
      expose: { servicePerPod: true, type: settings.expose === 'none' ? 'ClusterIP' : settings.expose },
      ...(configuration === undefined ? {} : { configuration }),
    },
  };
}
