import { clusterFaults } from '../../model/faults.ts';
import type { HardwareSpec, RegionConfig } from './schema.ts';

/**
 * This file reads settings that apply to the whole cluster: autoscaling and volumes. The shapes with region
 * configs repeat them for each region and kind of node. Repeated values must be equal. If one of them is
 * omitted, the others count.
 */

export type AutoScaling = NonNullable<RegionConfig['autoScaling']>;

export function agreedScaling(regions: readonly RegionConfig[]): AutoScaling | undefined {
  const all = regions.flatMap(({ autoScaling = [], analyticsAutoScaling = [] }) =>
    [autoScaling, analyticsAutoScaling].flat(),
  );
  return all.length === 0 ? undefined : agreed('autoscaling', all);
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
