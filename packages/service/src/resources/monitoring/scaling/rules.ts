import {
  autoScalingOf,
  type ClusterModel,
  firstProvider,
  hasLocalDisks,
  instanceSizeOf,
  instanceSizes,
  sizeNumber,
} from '../../clusters/index.ts';

/** This file has the rules of autoscaling for disks and instance sizes (docs/contract/clusters.md 2.7). */

export const scalingEvents = {
  DISK_AUTO_SCALE_INITIATED: 'Disk scale-up was started',
  DISK_AUTO_SCALE_MAX_DISK_SIZE_FAIL: 'Disk scale-up was not possible: maximum disk size reached',
  COMPUTE_AUTO_SCALE_INITIATED_BASE: 'Change of instance size was started (electable and read-only nodes)',
  COMPUTE_AUTO_SCALE_SCALE_DOWN_FAIL_BASE:
    'Scale-down to a smaller instance size was not possible (electable and read-only nodes)',
  COMPUTE_AUTO_SCALE_MAX_INSTANCE_SIZE_FAIL_BASE:
    'Scale-up was not possible: maximum instance size reached (electable and read-only nodes)',
} as const;

/** A scaling decision. Without `change`, the cluster stays unchanged, and the event says why. */
export interface Scaling {
  readonly event: keyof typeof scalingEvents;
  readonly change?: { readonly diskSizeGB: number } | { readonly instanceSize: string };
}

/** Recent load of the nodes of a cluster. */
export interface Load {
  /** The used disk space in bytes. */
  readonly used: number;
  readonly resident: number;
  /**
   * Returns the processor use of the busiest node over the last `minutes`, in percent; undefined unless all nodes were
   * measured.
   */
  processor(minutes: number): number | undefined;
}

const GB = 1024 ** 3;
const DAY_MS = 86_400_000;
const MAX_USED_SHARE = 0.9;
/** How full a disk is after it has grown. docs/contract/clusters.md 2.7 does not specify this. */
const TARGET_USED = 0.7;
const BURSTABLE_BELOW = 30;
const IDLE_PERCENT = 45;
const MAX_MEMORY_SHARE = 0.6;

export const isAutoScaled = ({ spec }: ClusterModel): boolean => {
  const { compute, diskGBEnabled } = autoScalingOf(spec.settings);
  return !spec.tenant && !hasLocalDisks(spec) && (compute.enabled || diskGBEnabled);
};

export function diskScaling({ spec }: ClusterModel, { used }: Load): Scaling | undefined {
  const size = instanceSizeOf(spec);
  if (size === undefined || !autoScalingOf(spec.settings).diskGBEnabled) return undefined;
  if (used <= spec.diskSizeGB * GB * MAX_USED_SHARE) return undefined;
  const wanted = Math.max(Math.ceil(used / TARGET_USED / GB), spec.diskSizeGB + 1);
  const diskSizeGB = Math.min(wanted, size.maxDiskGB);
  if (diskSizeGB <= spec.diskSizeGB) return { event: 'DISK_AUTO_SCALE_MAX_DISK_SIZE_FAIL' };
  return { event: 'DISK_AUTO_SCALE_INITIATED', change: { diskSizeGB } };
}

/**
 * Decides how to scale a cluster. `changed` is the time of the last change of size. Clusters with independent shard
 * sizes are not scaled.
 */
export function computeScaling(
  { spec }: ClusterModel,
  load: Load,
  { now, changed }: { readonly now: Date; readonly changed: Date },
): Scaling | undefined {
  const size = instanceSizeOf(spec);
  const { enabled, scaleDownEnabled } = autoScalingOf(spec.settings).compute;
  if (size === undefined || !enabled || spec.independentShards === true) return undefined;
  const sameClass = [...instanceSizes[firstProvider(spec)].values()].filter(
    (one) => one.class === size.class,
  );
  const at = sameClass.findIndex(({ name }) => name === size.name);
  const indexOfSize = (name: string | undefined) => sameClass.findIndex((one) => one.name === name);
  const { minInstanceSize, maxInstanceSize } = spec.settings.computeLimits ?? {};
  if (isBusy(size.name, load)) {
    const next = sameClass[at + 1];
    if (next === undefined || at >= indexOfSize(maxInstanceSize)) {
      return { event: 'COMPUTE_AUTO_SCALE_MAX_INSTANCE_SIZE_FAIL_BASE' };
    }
    return { event: 'COMPUTE_AUTO_SCALE_INITIATED_BASE', change: { instanceSize: next.name } };
  }
  const next = sameClass[at - 1];
  if (!scaleDownEnabled || next === undefined || at <= indexOfSize(minInstanceSize)) return undefined;
  if (now.getTime() - changed.getTime() < DAY_MS || !isIdle(load)) return undefined;
  if (load.resident > next.ramGB * GB * MAX_MEMORY_SHARE) return undefined;
  if (spec.diskSizeGB > next.maxDiskGB) return { event: 'COMPUTE_AUTO_SCALE_SCALE_DOWN_FAIL_BASE' };
  return { event: 'COMPUTE_AUTO_SCALE_INITIATED_BASE', change: { instanceSize: next.name } };
}

function isBusy(size: string, { processor }: Load): boolean {
  const above = (percent: number, minutes: number) => (processor(minutes) ?? 0) > percent;
  return sizeNumber(size) < BURSTABLE_BELOW ? above(90, 20) : above(90, 10) || above(75, 60);
}

function isIdle({ processor }: Load): boolean {
  return [10, 240].every((minutes) => (processor(minutes) ?? 100) < IDLE_PERCENT);
}
