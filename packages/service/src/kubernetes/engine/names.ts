import type { ResourceSettings, WantedCluster } from './wanted.ts';

/** The labels of all objects of this service, and the name of the label with the cluster's id. */
export const MANAGED = { 'app.kubernetes.io/managed-by': 'portolan' } as const;
export const CLUSTER_LABEL = 'portolan/cluster';

/** Returns the selector of objects with these labels. */
export function selectorOf(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

/** The namespace and the name of a Kubernetes object. */
export interface Place {
  readonly namespace: string;
  readonly name: string;
}

type Named = Pick<WantedCluster, 'projectId' | 'name' | 'mark'>;

function namespaceOf(
  { namespacePrefix }: Pick<ResourceSettings, 'namespacePrefix'>,
  projectId: string,
): string {
  return `${namespacePrefix}-${projectId}`;
}

/**
 * Maximum length of the part of a resource's name that comes from the name of the cluster. The operator limits the
 * names of the resource and of a replica set to 50 characters together.
 */
const MAX_PREFIX = 23;

/**
 * Returns the name and namespace of a cluster's resource. The name contains the cluster's mark, which makes it
 * unique. Cluster names alone are not enough, since they can differ in case only, and Kubernetes names are in lower
 * case.
 */
export function placeOf(
  settings: Pick<ResourceSettings, 'namespacePrefix'>,
  { projectId, name, mark }: Named,
): Place {
  // Names of Kubernetes services must begin with a letter.
  const prefix = name
    .toLowerCase()
    .replace(/^(?=\d)/, 'c')
    .slice(0, MAX_PREFIX)
    .replace(/-+$/, '');
  return { namespace: namespaceOf(settings, projectId), name: `${prefix}-${mark}` };
}

/** Returns the name of the replica set of a shard. */
export const replicaSetName = (shard: number): string => `rs${shard}`;

/** The part of the pod names that identifies each kind of node. */
const infixes = { electable: '', readOnly: '-nv', analytics: '-hidden' } as const;

/**
 * A pod of a cluster, and the id of its member. Members are numbered in this order: electable, read-only and
 * analytics nodes.
 */
export interface PodOf {
  readonly memberId: string;
  readonly pod: string;
  /**
   * The headless service that provides the host name of the pod. Absent for routers, because each router has its own
   * service.
   */
  readonly service?: string;
}

export function podsOf(resource: string, { shards, isSharded }: WantedCluster): readonly PodOf[] {
  const nodes = shards.flatMap(({ regions }, shard) => {
    const service = `${resource}-${replicaSetName(shard)}`;
    const kinds = Object.entries(infixes) as [keyof typeof infixes, string][];
    const pods = kinds.flatMap(([kind, infix]) => {
      const count = regions.reduce((sum, region) => sum + region[kind], 0);
      return Array.from({ length: count }, (_, index) => `${service}${infix}-${index}`);
    });
    return pods.map((pod, index) => ({
      memberId: `shard-${twoDigits(shard)}-${twoDigits(index)}`,
      pod,
      service,
    }));
  });
  if (!isSharded) return nodes;
  const routers = nodes.map(({ memberId }, index) => ({
    memberId: memberId.replace(/^shard/, 'router'),
    pod: `${resource}-mongos-${index}`,
  }));
  return [...nodes, ...routers];
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');
