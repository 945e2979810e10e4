import type { Cluster } from '../../api/resources.ts';

/** A region of a cluster and the number of its electable nodes, as the text of a field. */
export interface RegionNodes {
  readonly region: string;
  readonly electable: string;
}

type Spec = NonNullable<Cluster['replicationSpecs']>[number];

/** The priority of the region in which the primary is. */
const FIRST_PRIORITY = 7;

/** The regions of a replication spec, by priority. */
export function regionsOf({ regionsConfig }: Spec): readonly RegionNodes[] {
  return Object.entries(regionsConfig)
    .toSorted(([, one], [, other]) => other.priority - one.priority)
    .map(([region, { electableNodes }]) => ({ region, electable: String(electableNodes) }));
}

/** Returns a replication spec with other regions. Regions that remain keep their read-only and analytics nodes. */
export function withRegions(spec: Spec, regions: readonly RegionNodes[]): Spec {
  let next = FIRST_PRIORITY;
  const configs = regions.map(({ region, electable }) => {
    const { readOnlyNodes = 0, analyticsNodes = 0 } = spec.regionsConfig[region] ?? {};
    const electableNodes = Number(electable);
    const priority = electableNodes > 0 ? next-- : 0;
    return [region, { electableNodes, readOnlyNodes, analyticsNodes, priority }] as const;
  });
  return { ...spec, regionsConfig: Object.fromEntries(configs) };
}
