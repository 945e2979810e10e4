import type { Cluster } from '../../api/resources.ts';
import { Facts } from '../../parts/facts.tsx';

export function ClusterFacts({ cluster }: { readonly cluster: Cluster }) {
  const { clusterType, dbVersion, diskSizeGB, providerBackupEnabled, providerSettings } = cluster;
  const { providerName, instanceSizeName, regionName } = providerSettings;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Type', clusterType],
    ['Size', instanceSizeName],
    ['Region', `${providerName} ${regionName ?? ''}`],
    ['Version', dbVersion],
    ['Disk', diskSizeGB === undefined ? undefined : `${diskSizeGB} GB`],
    ['Scheduled snapshots', providerBackupEnabled ? 'on' : 'off'],
  ];
  return <Facts facts={facts} />;
}
