import {
  autoScalingOf,
  type ClusterModel,
  firstProvider,
  hasLocalDisks,
  instanceSizeOf,
  instanceSizes,
  sizeNumber,
} from '../../clusters/index.ts';

/** When disks and sizes of clusters change by themselves (behaviour reference of clusters, 2.7). */

export const scalingEvents = {
  DISK_AUTO_SCALE_INITIATED: 'Larger disk was begun',
  DISK_AUTO_SCALE_MAX_DISK_SIZE_FAIL: 'Largest disk is reached',
  COMPUTE_AUTO_SCALE_INITIATED_BASE: 'Another instance size was begun (base nodes)',
  COMPUTE_AUTO_SCALE_SCALE_DOWN_FAIL_BASE: 'Smaller instance size was not possible (base nodes)',
  COMPUTE_AUTO_SCALE_MAX_INSTANCE_SIZE_FAIL_BASE: 'Largest instance size is reached (base nodes)',
} as const;

/** What is to become of a cluster; without a change it stays as it is, and the event says why. */
export interface Scaling {
  readonly event: keyof typeof scalingEvents;
  readonly change?: { readonly diskSizeGB: number } | { readonly instanceSize: string };
}

/** What its nodes have done until now. */
export interface Load {
  /** Bytes. */
  readonly used: number;
  readonly resident: number;
  /** The busiest node in the last minutes, in percent of what it can take; undefined where they were not all measured. */
  processor(minutes: number): number | undefined;
}

const GB = 1024 ** 3;
const DAY_MS = 86_400_000;
const MOST_USED = 0.9;
/** A grown disk is so full; the reference does not say. */
const USED_THEN = 0.7;
const BURSTABLE_BELOW = 30;
const IDLE_PERCENT = 45;
const MOST_MEMORY = 0.6;

export const isScaled = ({ spec }: ClusterModel): boolean => {
  const { compute, diskGBEnabled } = autoScalingOf(spec.settings);
  return !spec.tenant && !hasLocalDisks(spec) && (compute.enabled || diskGBEnabled);
};

export function diskScaling({ spec }: ClusterModel, { used }: Load): Scaling | undefined {
  const size = instanceSizeOf(spec);
  if (size === undefined || !autoScalingOf(spec.settings).diskGBEnabled) return undefined;
  if (used <= spec.diskSizeGB * GB * MOST_USED) return undefined;
  const wanted = Math.max(Math.ceil(used / USED_THEN / GB), spec.diskSizeGB + 1);
  const diskSizeGB = Math.min(wanted, size.maxDiskGB);
  if (diskSizeGB <= spec.diskSizeGB) return { event: 'DISK_AUTO_SCALE_MAX_DISK_SIZE_FAIL' };
  return { event: 'DISK_AUTO_SCALE_INITIATED', change: { diskSizeGB } };
}

/** `changed`: when its size changed last. Shards with sizes of their own stay as they are. */
export function computeScaling(
  { spec }: ClusterModel,
  load: Load,
  { now, changed }: { readonly now: Date; readonly changed: Date },
): Scaling | undefined {
  const size = instanceSizeOf(spec);
  const { enabled, scaleDownEnabled } = autoScalingOf(spec.settings).compute;
  if (size === undefined || !enabled || spec.independentShards === true) return undefined;
  const alike = [...instanceSizes[firstProvider(spec)].values()].filter((one) => one.class === size.class);
  const at = alike.findIndex(({ name }) => name === size.name);
  const placeOf = (name: string | undefined) => alike.findIndex((one) => one.name === name);
  const { minInstanceSize, maxInstanceSize } = spec.settings.computeLimits ?? {};
  if (isBusy(size.name, load)) {
    const next = alike[at + 1];
    if (next === undefined || at >= placeOf(maxInstanceSize)) {
      return { event: 'COMPUTE_AUTO_SCALE_MAX_INSTANCE_SIZE_FAIL_BASE' };
    }
    return { event: 'COMPUTE_AUTO_SCALE_INITIATED_BASE', change: { instanceSize: next.name } };
  }
  const next = alike[at - 1];
  if (!scaleDownEnabled || next === undefined || at <= placeOf(minInstanceSize)) return undefined;
  if (now.getTime() - changed.getTime() < DAY_MS || !isQuiet(load)) return undefined;
  if (load.resident > next.ramGB * GB * MOST_MEMORY) return undefined;
  if (spec.diskSizeGB > next.maxDiskGB) return { event: 'COMPUTE_AUTO_SCALE_SCALE_DOWN_FAIL_BASE' };
  return { event: 'COMPUTE_AUTO_SCALE_INITIATED_BASE', change: { instanceSize: next.name } };
}

function isBusy(size: string, { processor }: Load): boolean {
  const above = (percent: number, minutes: number) => (processor(minutes) ?? 0) > percent;
  return sizeNumber(size) < BURSTABLE_BELOW ? above(90, 20) : above(90, 10) || above(75, 60);
}

function isQuiet({ processor }: Load): boolean {
  return [10, 240].every((minutes) => (processor(minutes) ?? 100) < IDLE_PERCENT);
}
