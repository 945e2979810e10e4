import { entity } from '../../../api/entity.ts';
import { generalFaults } from '../../../api/faults.ts';
import { ruled } from '../../../api/fields.ts';
import { Cluster } from './contract/schema.ts';
import { ShardsCluster, ZonesCluster } from './region-configs/schema.ts';

/** This file declares fields that are required for a new cluster, but optional in updates. */

const inContract = ['name', 'providerSettings'] as const;
const inRegionConfigs = ['name', 'clusterType', 'replicationSpecs'] as const;

/** Under this name, dialects add fields to the body of a new cluster (`dialects/atlas/entities.ts`). */
const rule = { name: 'newCluster', self: 'getCluster', params: () => ({}) };

export const NewCluster = entity(ruled(Cluster, { required: inContract }), rule);
export const NewZonesCluster = entity(ruled(ZonesCluster, { required: inRegionConfigs }), rule);
export const NewShardsCluster = entity(ruled(ShardsCluster, { required: inRegionConfigs }), rule);

type Given<T, K extends keyof T> = T & { readonly [P in K]-?: NonNullable<T[P]> };

function given<T extends object, const K extends keyof T & string>(
  body: T,
  names: readonly K[],
): Given<T, K> {
  const missing = names.find((name) => body[name] === undefined);
  if (missing !== undefined) throw generalFaults.MISSING_ATTRIBUTE(missing);
  return body as Given<T, K>;
}

export const asNewCluster = (body: Cluster) => given(body, inContract);
export const asNewRegionConfigs = (body: ZonesCluster | ShardsCluster) => given(body, inRegionConfigs);
