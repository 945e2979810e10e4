import { defaultEngine } from '@portolan/engine/interface/capabilities';
import type { EngineHosts } from '../../services.ts';
import { can, engineOf } from '../model/capabilities.ts';
import type { ClusterModel, ClusterSpec, RegionNodes } from '../model/cluster.ts';
import { engineRegionFaults } from './faults.ts';

type Engines = Pick<EngineHosts, 'forNew'>;

/**
 * Returns the host of a new cluster, which the region with the highest priority determines. Throws if another engine
 * runs the clusters in one of the other regions, since all nodes of a cluster have the same engine.
 */
export function hostOfNew(
  engines: Engines,
  { name, spec }: Pick<ClusterModel, 'name' | 'spec'>,
): ReturnType<EngineHosts['forNew']> {
  const [first, ...others] = regionsOf(spec);
  // A specification without regions is rejected later.
  const host = hostIn(engines, first ?? { provider: 'AWS', region: '' });
  for (const region of others) checkRegion(engines, region, { name, engine: host.engine ?? defaultEngine });
  return host;
}

/**
 * Throws if a change adds a region in which another engine runs the clusters. A cluster stays in its regions even if
 * the settings of the service change.
 */
export function checkAddedRegions(engines: Engines, cluster: ClusterModel, spec: ClusterSpec): void {
  // The service cannot move the servers of such a cluster, so its regions have no effect.
  if (!can(cluster, 'topology')) return;
  const present = new Set(regionsOf(cluster.spec).map(textOf));
  for (const region of regionsOf(spec)) {
    if (present.has(textOf(region))) continue;
    checkRegion(engines, region, { name: cluster.name, engine: engineOf(cluster) });
  }
}

function checkRegion(
  engines: Engines,
  region: RegionNodes,
  cluster: { readonly name: string; readonly engine: string },
): void {
  const { engine = defaultEngine } = hostIn(engines, region);
  if (engine === cluster.engine) return;
  throw engineRegionFaults.REGION_OF_OTHER_ENGINE(cluster.name, textOf(region), engine, cluster.engine);
}

type Named = Pick<RegionNodes, 'provider' | 'region'>;

const hostIn = ({ forNew }: Engines, { provider, region }: Named) => forNew(provider, region);

const regionsOf = ({ zones }: ClusterSpec): readonly RegionNodes[] => zones.flatMap(({ regions }) => regions);

const textOf = ({ provider, region }: Named): string => `${provider}/${region}`;
