import { clusterFaults } from '../../model/faults.ts';
import type { HardwareSpec, RegionConfig } from './schema.ts';

/**
 * This file reads settings that apply to the whole cluster: autoscaling and volumes. The shapes with region
 * configs repeat them for each region and kind of node. Repeated values must be equal. If one of them is
 * omitted, the others count.
 */

type AutoScaling = NonNullable<RegionConfig['autoScaling']>;
type Compute = NonNullable<AutoScaling['compute']>;

interface Scaling {
  readonly autoScaling?: AutoScaling;
  /** The compute autoscaling of analytics nodes, if it differs. */
  readonly analyticsCompute?: Compute;
  /** Whether the request contains the autoscaling of analytics nodes. */
  readonly hasAnalyticsScaling: boolean;
}

export function agreedScaling(regions: readonly RegionConfig[]): Scaling {
  const base = agreedIn(regions.map((region) => region.autoScaling));
  const analytics = agreedIn(regions.map((region) => region.analyticsAutoScaling));
  const hasAnalyticsScaling = analytics !== undefined;
  if (base?.compute !== undefined && analytics?.compute !== undefined) {
    const { compute: analyticsCompute, ...disk } = analytics;
    const autoScaling = agreed('disk autoscaling', [base, disk]);
    const own = differ(base.compute, analyticsCompute) ? { analyticsCompute } : {};
    return { autoScaling, ...own, hasAnalyticsScaling };
  }
  // The compute autoscaling of analytics nodes does not apply to the other nodes. All nodes have the same disk.
  const { compute: analyticsCompute, ...disk } = analytics ?? {};
  const autoScaling = agreedIn([base, disk.diskGB && disk]);
  return {
    ...(autoScaling && { autoScaling }),
    ...(analyticsCompute && { analyticsCompute }),
    hasAnalyticsScaling,
  };
}

function differ(base: Compute, analytics: Compute): boolean {
  const names = [...new Set([...Object.keys(base), ...Object.keys(analytics)])] as (keyof Compute)[];
  return names.some((name) => (base[name] || false) !== (analytics[name] || false));
}

function agreedIn(given: ReadonlyArray<AutoScaling | undefined>): AutoScaling | undefined {
  const present = given.filter((each) => each !== undefined);
  return present.length === 0 ? undefined : agreed('autoscaling', present);
}

interface Volume {
  readonly diskIOPS: HardwareSpec['diskIOPS'] | undefined;
  readonly ebsVolumeType: HardwareSpec['ebsVolumeType'] | undefined;
}

/** Returns the volume of all regions and kinds of nodes. Ignores kinds of nodes whose count is zero. */
export function agreedVolume(regions: readonly RegionConfig[]): Volume {
  const specs = regions.flatMap(specsOf).filter(({ nodeCount }) => nodeCount !== 0);
  return agreed<Volume>(
    'the volume',
    specs.map(({ diskIOPS, ebsVolumeType }) => ({ diskIOPS, ebsVolumeType })),
  );
}

export function specsOf({ electableSpecs, readOnlySpecs, analyticsSpecs }: RegionConfig): HardwareSpec[] {
  return [electableSpecs, readOnlySpecs, analyticsSpecs].filter((spec) => spec !== undefined);
}

function agreed<T extends object>(what: string, given: readonly T[]): T {
  const result: Record<string, unknown> = {};
  for (const [name, value] of given.flatMap((each) => Object.entries(each) as [string, unknown][])) {
    const before = result[name];
    if (before === undefined) result[name] = value;
    else if (isObject(before) && isObject(value)) result[name] = agreed(what, [before, value]);
    else if (value !== undefined && value !== before) {
      throw clusterFaults.INVALID_CLUSTER_CONFIGURATION(
        `${what} must be the same in every region and for every kind of node`,
      );
    }
  }
  return result as T;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
