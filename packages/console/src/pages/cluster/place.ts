import { useState } from 'react';
import { useList } from '../../api/resources.ts';

export const providers = ['AWS', 'GCP', 'AZURE'];

/** Whether clusters of a size share nodes with other clusters. */
export const isShared = (size: string): boolean => /^M[025]$/.test(size);

/**
 * Keeps the choice of provider, size and region. If the provider does not offer the chosen size, chooses its first
 * size. If the chosen size is not available in the chosen region, chooses the default region of the size.
 */
export function usePlace(groupId: string, first = { provider: 'AWS', size: 'M10' }) {
  const [providerName, setProvider] = useState(first.provider);
  const [size, setSize] = useState(first.size);
  const [region, setRegion] = useState('');
  const path = `/groups/${groupId}/clusters/provider/regions?providers=${providerName}` as const;
  const { data = [] } = useList(path);
  const offered = data.flatMap(({ instanceSizes = [] }) => instanceSizes);
  const chosen = offered.find(({ name }) => name === size) ?? offered[0];
  const available = chosen?.availableRegions ?? [];
  const place =
    available.find(({ name }) => name === region) ?? available.find((one) => one.default) ?? available[0];
  return {
    providerName,
    instanceSizeName: chosen?.name ?? '',
    regionName: place?.name ?? '',
    sizes: offered.map(({ name }) => name),
    regions: available.map(({ name }) => name),
    setProvider,
    setSize,
    setRegion,
  };
}

/** Returns the major versions that a size can run, newest first. */
export function useVersions(groupId: string, providerName: string, size: string): readonly string[] {
  const { data = [] } = useList(
    `/groups/${groupId}/dbVersions?cloudProvider=${providerName}&instanceSize=${size}`,
    size !== '',
  );
  return [...new Set(data.map(({ version }) => version))].toSorted(
    (one, other) => Number(other) - Number(one),
  );
}
