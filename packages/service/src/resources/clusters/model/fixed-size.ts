import { type Provider, regions } from '../catalogue/regions.ts';
import { DEFAULT_MAJOR_VERSION } from '../catalogue/versions.ts';
import type { ClusterKind, ClusterSpec } from './cluster.ts';
import { clusterFaults } from './faults.ts';
import type { ClusterSettings } from './settings.ts';

/**
 * This file is about flex clusters and serverless instances, which have a fixed size and disk, and three
 * nodes in one region.
 */

/** Disk size of a flex cluster in GB. */
export const FLEX_DISK_GB = 5;

const DISK_GB: Readonly<Record<Exclude<ClusterKind, 'cluster'>, number>> = {
  flex: FLEX_DISK_GB,
  flexBySize: FLEX_DISK_GB,
  serverless: 1024,
};

export interface FixedSizeRequest {
  readonly kind: Exclude<ClusterKind, 'cluster'>;
  readonly size: string;
  readonly provider: Provider;
  readonly region: string;
  readonly zoneId: string;
  readonly settings: ClusterSettings;
}

/** Throws for an unknown region, and for a region without shared-tier clusters. */
export function fixedSizeSpec(request: FixedSizeRequest): ClusterSpec {
  const { kind, size, provider, region, zoneId, settings } = request;
  const known = regions[provider].get(region);
  if (known === undefined) throw clusterFaults.INVALID_REGION(region, provider);
  if (!known.sharedTier) {
    throw clusterFaults.INVALID_TENANT_CONFIGURATION(
      `the region ${region} does not offer shared-tier clusters`,
    );
  }
  const nodes = { provider, region, priority: 7, electable: 3, readOnly: 0, analytics: 0 };
  return {
    clusterType: 'REPLICASET',
    kind,
    zones: [{ id: zoneId, name: 'Zone 1', numShards: 1, regions: [nodes] }],
    instanceSize: size,
    tenant: true,
    diskSizeGB: DISK_GB[kind],
    majorVersion: DEFAULT_MAJOR_VERSION,
    settings,
  };
}
