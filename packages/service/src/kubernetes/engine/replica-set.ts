import { configurationOf } from './configuration.ts';
import { replicaSetName } from './names.ts';
import type { NodeSize, ResourceSettings, WantedCluster, WantedRegion } from './wanted.ts';

const REGION_LABEL = 'topology.kubernetes.io/region';
const ZONE_LABEL = 'topology.kubernetes.io/zone';
const HOST_LABEL = 'kubernetes.io/hostname';

type Kind = 'electable' | 'readOnly' | 'analytics';

type Fields = Readonly<Record<string, unknown>>;

/** The value of the component label of pods, by kind of node. */
const components: Readonly<Record<Kind, string>> = {
  electable: 'mongod',
  readOnly: 'nonVoting',
  analytics: 'hidden',
};

/**
 * Returns the resources of a node. The resource requests equal the resource limits, so that Kubernetes
 * reserves everything that the size of the node includes.
 */
export function resourcesOf({ processors, memoryGB }: NodeSize): Fields {
  const share = { cpu: String(processors), memory: `${Math.floor(memoryGB * 1024)}Mi` };
  return { requests: share, limits: share };
}

export function volumeOf(diskGB: number, { storageClass }: Pick<ResourceSettings, 'storageClass'>): Fields {
  return {
    persistentVolumeClaim: {
      ...(storageClass === undefined ? {} : { storageClassName: storageClass }),
      resources: { requests: { storage: `${Math.ceil(diskGB)}Gi` } },
    },
  };
}

/**
 * Where pods may run: on Kubernetes nodes of their regions, or with `anyNode` on any of them, spread over
 * regions and zones. A Kubernetes node never has two pods with the same labels.
 */
export function placementOf(
  regions: readonly string[],
  labels: Readonly<Record<string, string>>,
  { anyNode }: Pick<ResourceSettings, 'anyNode'>,
): Fields {
  const spread = (topologyKey: string, whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway') => ({
    ...{ maxSkew: 1, topologyKey, whenUnsatisfiable },
    labelSelector: { matchLabels: labels },
  });
  const [only, ...others] = regions;
  const spreadZones = { topologySpreadConstraints: [spread(ZONE_LABEL, 'ScheduleAnyway')] };
  if (anyNode || only === undefined) return { affinity: apart, ...spreadZones };
  if (others.length === 0) return { affinity: apart, nodeSelector: { [REGION_LABEL]: only }, ...spreadZones };
  // The operator ignores `antiAffinityTopologyKey` if `advanced` is set.
  const separate = { topologyKey: HOST_LABEL, labelSelector: { matchLabels: labels } };
  return {
    affinity: {
      advanced: {
        ...inRegions(regions),
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [separate] },
      },
    },
    topologySpreadConstraints: [spread(REGION_LABEL, 'DoNotSchedule'), spread(ZONE_LABEL, 'ScheduleAnyway')],
  };
}

const apart = { antiAffinityTopologyKey: HOST_LABEL };

function inRegions(regions: readonly string[]): Fields {
  const expression = { key: REGION_LABEL, operator: 'In', values: [...regions] };
  const terms = { nodeSelectorTerms: [{ matchExpressions: [expression] }] };
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } };
}

/** Where routers may run: on Kubernetes nodes in these regions. Several routers may run on one Kubernetes node. */
export function routerPlacementOf(
  regions: readonly string[],
  { anyNode }: Pick<ResourceSettings, 'anyNode'>,
): Fields {
  if (anyNode || regions.length === 0) return { affinity: { antiAffinityTopologyKey: 'none' } };
  return { affinity: { advanced: inRegions(regions) } };
}

/** Returns the entry of a shard in `spec.replsets`. */
export function replicaSetOf(
  wanted: WantedCluster,
  shard: number,
  resource: string,
  settings: ResourceSettings,
): Fields {
  const { regions, size, analyticsSize } = wanted.shards[shard] ?? { regions: [], ...noSize };
  const configuration = configurationOf(wanted, 'node');
  const name = replicaSetName(shard);
  const nodes = (kind: Kind, of: NodeSize): Fields => ({
    size: countOf(regions, kind),
    ...placementOf(regionsWith(regions, kind), labelsOf(resource, name, components[kind]), settings),
    resources: resourcesOf(of),
    volumeSpec: volumeOf(wanted.diskGB, settings),
    ...(configuration === undefined ? {} : { configuration }),
  });
  const electable = regionsWith(regions, 'electable');
  const isPreferring = electable.length > 1 && !settings.anyNode;
  return {
    name,
    ...nodes('electable', size),
    ...(isPreferring ? { primaryPreferTagSelector: { region: electable[0] } } : {}),
    ...(settings.expose === 'none' ? {} : { expose: { enabled: true, type: settings.expose } }),
    ...(countOf(regions, 'readOnly') === 0
      ? {}
      : { nonvoting: { enabled: true, ...nodes('readOnly', size) } }),
    ...(countOf(regions, 'analytics') === 0
      ? {}
      : { hidden: { enabled: true, ...nodes('analytics', analyticsSize) } }),
  };
}

const noSize = { size: { processors: 0, memoryGB: 0 }, analyticsSize: { processors: 0, memoryGB: 0 } };

export function labelsOf(resource: string, replicaSet: string, component: string): Record<string, string> {
  return {
    'app.kubernetes.io/instance': resource,
    'app.kubernetes.io/replset': replicaSet,
    'app.kubernetes.io/component': component,
  };
}

export function countOf(regions: readonly WantedRegion[], kind: Kind): number {
  return regions.reduce((sum, region) => sum + region[kind], 0);
}

export function regionsWith(regions: readonly WantedRegion[], kind: Kind): string[] {
  return regions.filter((region) => region[kind] > 0).map(({ name }) => name);
}
