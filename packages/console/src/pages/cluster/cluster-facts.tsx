import type { Cluster } from '../../api/resources.ts';
import { Facts } from '../../parts/facts.tsx';
import { placeOf } from './regions.ts';

export function ClusterFacts({ cluster }: { readonly cluster: Cluster }) {
  const { clusterType, dbVersion, diskSizeGB, providerBackupEnabled, providerSettings } = cluster;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Type', clusterType],
    ['Size', providerSettings.instanceSizeName],
    ['Region', placeOf(cluster)],
    ['Version', dbVersion],
    ['Disk', diskSizeGB === undefined ? undefined : `${diskSizeGB} GB`],
    ['Scheduled snapshots', providerBackupEnabled ? 'on' : 'off'],
  ];
  return <Facts facts={facts} />;
}
