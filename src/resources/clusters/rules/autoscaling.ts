import { generalFaults } from '../../../api/faults.ts';
import { faults } from '../../../runtime/faults.ts';
import { type InstanceSize, instanceSizes } from '../catalogue/sizes.ts';
import { type ClusterSpec, firstProvider, hasLocalDisks } from '../model/cluster.ts';
import type { ComputeLimits } from '../model/settings.ts';

export const autoScalingFaults = faults({
  AUTO_SCALING_NOT_SUPPORTED: [400, 'Autoscaling is not possible: {0}.'],
  COMPUTE_AUTO_SCALING_MAX_INSTANCE_SIZE_REQUIRED: [400, 'Compute autoscaling needs a largest size.'],
  COMPUTE_AUTO_SCALING_MIN_INSTANCE_SIZE_REQUIRED: [400, 'Scaling down needs a smallest size.'],
  COMPUTE_AUTO_SCALING_MAX_INSTANCE_SIZE_INVALID: [400, 'The largest size of autoscaling is not valid.'],
  COMPUTE_AUTO_SCALING_MIN_INSTANCE_SIZE_INVALID: [400, 'The smallest size of autoscaling is not valid.'],
  COMPUTE_AUTO_SCALING_INSTANCE_SIZE_RANGE_INVALID: [
    400,
    'The size of the cluster is not between the smallest and the largest of autoscaling.',
  ],
  COMPUTE_AUTO_SCALING_SCALE_DOWN_ENABLED_INVALID: [400, 'Scaling down needs compute autoscaling.'],
});

/** Throws for autoscaling that a cluster cannot have. */
export function checkAutoScaling(spec: ClusterSpec): void {
  const { compute = {} } = spec.settings.autoScaling ?? {};
  const limits = spec.settings.computeLimits ?? {};
  const { enabled = false, scaleDownEnabled = false, predictiveEnabled = false } = compute;
  if (scaleDownEnabled && !enabled) {
    throw autoScalingFaults.COMPUTE_AUTO_SCALING_SCALE_DOWN_ENABLED_INVALID();
  }
  if (predictiveEnabled && !enabled) throw generalFaults.INVALID_ATTRIBUTE('predictiveEnabled');
  const { minInstanceSize: min, maxInstanceSize: max } = limits;
  if (!enabled) {
    if (max !== undefined) throw autoScalingFaults.COMPUTE_AUTO_SCALING_MAX_INSTANCE_SIZE_INVALID();
    if (min !== undefined) throw autoScalingFaults.COMPUTE_AUTO_SCALING_MIN_INSTANCE_SIZE_INVALID();
    return;
  }
  if (max === undefined) throw autoScalingFaults.COMPUTE_AUTO_SCALING_MAX_INSTANCE_SIZE_REQUIRED();
  if (scaleDownEnabled && min === undefined) {
    throw autoScalingFaults.COMPUTE_AUTO_SCALING_MIN_INSTANCE_SIZE_REQUIRED();
  }
  checkRange(spec, limits);
}

function checkRange(spec: ClusterSpec, { minInstanceSize: min, maxInstanceSize: max }: ComputeLimits): void {
  const sizes = instanceSizes[firstProvider(spec)];
  const current = sizes.get(spec.instanceSize);
  if (current === undefined || hasLocalDisks(spec)) {
    throw autoScalingFaults.AUTO_SCALING_NOT_SUPPORTED(`the size ${spec.instanceSize} stays as it is`);
  }
  const [lowest, highest] = [min, max].map((name) => (name === undefined ? undefined : sizes.get(name)));
  if (max !== undefined && !isAlike(highest, current)) {
    throw autoScalingFaults.COMPUTE_AUTO_SCALING_MAX_INSTANCE_SIZE_INVALID();
  }
  if (min !== undefined && !isAlike(lowest, current)) {
    throw autoScalingFaults.COMPUTE_AUTO_SCALING_MIN_INSTANCE_SIZE_INVALID();
  }
  const above = highest !== undefined && current.ramGB > highest.ramGB;
  const below = lowest !== undefined && current.ramGB < lowest.ramGB;
  if (above || below) throw autoScalingFaults.COMPUTE_AUTO_SCALING_INSTANCE_SIZE_RANGE_INVALID();
}

function isAlike(size: InstanceSize | undefined, current: InstanceSize): boolean {
  return size !== undefined && size.class === current.class;
}
