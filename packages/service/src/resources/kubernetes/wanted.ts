import type { NodeSize, WantedCluster } from '../../kubernetes/index.ts';
import {
  advancedConfigurationOf,
  type ClusterModel,
  instanceSizeOf,
  isSharded,
  nativeRegionName,
  type Zone,
} from '../clusters/index.ts';

type Spec = ClusterModel['spec'];

/** Converts a cluster to the values of its Kubernetes resource. */
export function wantedOf(cluster: ClusterModel): WantedCluster {
  const { id, groupId, name, paused, spec, placement } = cluster;
  const tls = advancedConfigurationOf(spec.settings);
  const given = Object.entries(spec.arguments ?? {}).filter(([, value]) => value !== null);
  return {
    ...{ id, name, paused, projectId: groupId, mark: placement.mark },
    majorVersion: spec.majorVersion,
    isPinned: spec.pinned !== undefined,
    isSharded: isSharded(spec),
    shards: spec.zones.flatMap((zone) => shardsOf(spec, zone)),
    diskGB: spec.diskSizeGB,
    arguments: Object.fromEntries(given),
    minimumTlsProtocol: tls.minimumEnabledTlsProtocol,
    ciphers: tls.tlsCipherConfigMode === 'CUSTOM' ? tls.customOpensslCipherConfigTls12 : undefined,
    redactsLogs: spec.settings.redactClientLogData,
    backups: backupsOf(spec),
  };
}

function backupsOf({ settings }: Spec): WantedCluster['backups'] {
  const { providerBackupEnabled, pitEnabled } = settings;
  return providerBackupEnabled === true ? { continuous: pitEnabled === true } : undefined;
}

function shardsOf(spec: Spec, { numShards, sizes = [], regions }: Zone): WantedCluster['shards'] {
  const places = regions.map(({ provider, region, electable, readOnly, analytics }) => ({
    name: nativeRegionName(provider, region),
    ...{ electable, readOnly, analytics },
  }));
  return Array.from({ length: numShards }, (_, shard) => {
    const size = sizes[shard] ?? spec.instanceSize;
    return {
      regions: places,
      size: sizeOf(spec, size),
      analyticsSize: sizeOf(spec, spec.analyticsSize ?? size),
    };
  });
}

function sizeOf(spec: Spec, instanceSize: string): NodeSize {
  const size = instanceSizeOf({ ...spec, instanceSize });
  if (size === undefined) throw new Error(`there is no size ${instanceSize}`);
  return { processors: size.vCPU, memoryGB: size.ramGB };
}
