import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
} from '@patternfly/react-core';
import type { Cluster } from '../api/resources.ts';

/** What a cluster is. */
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
  return (
    <DescriptionList isHorizontal isCompact columnModifier={{ lg: '3Col' }}>
      {facts
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <DescriptionListGroup key={name}>
            <DescriptionListTerm>{name}</DescriptionListTerm>
            <DescriptionListDescription>{value}</DescriptionListDescription>
          </DescriptionListGroup>
        ))}
    </DescriptionList>
  );
}
