import { badValue } from '../../../api/faults.ts';
import { instanceSizes } from '../catalogue/sizes.ts';
import { type ClusterSpec, firstProvider, hasLocalDisks } from '../model/cluster.ts';
import { autoScalingOf } from '../model/settings.ts';
import { autoScalingFaults } from './faults.ts';

/** Throws if the autoscaling settings are invalid for the cluster. */
export function checkAutoScaling(spec: ClusterSpec): void {
  const { enabled, scaleDownEnabled, predictiveEnabled } = autoScalingOf(spec.settings).compute;
  const limits = spec.settings.computeLimits ?? {};
  const { analyticsCompute } = spec.settings;
  if (analyticsCompute?.enabled === true && analyticsCompute.maxInstanceSize === undefined) {
    throw autoScalingFaults.COMPUTE_AUTO_SCALING_MAX_INSTANCE_SIZE_REQUIRED();
  }
  if (scaleDownEnabled && !enabled) {
    throw autoScalingFaults.COMPUTE_AUTO_SCALING_SCALE_DOWN_ENABLED_INVALID();
  }
  if (predictiveEnabled && !enabled) throw badValue('predictiveEnabled', 'requires compute autoscaling');
  const { minInstanceSize: min, maxInstanceSize: max } = limits;
  if (!enabled) {
    if (max !== undefined) throw maxInvalid(spec, max);
    if (min !== undefined) throw minInvalid(spec, min);
    return;
  }
  if (max === undefined) throw autoScalingFaults.COMPUTE_AUTO_SCALING_MAX_INSTANCE_SIZE_REQUIRED();
  if (scaleDownEnabled && min === undefined) {
    throw autoScalingFaults.COMPUTE_AUTO_SCALING_MIN_INSTANCE_SIZE_REQUIRED();
  }
  checkRange(spec, min, max);
}

const maxInvalid = ({ instanceSize }: ClusterSpec, max: string) =>
  autoScalingFaults.COMPUTE_AUTO_SCALING_MAX_INSTANCE_SIZE_INVALID(instanceSize, max);

const minInvalid = ({ instanceSize }: ClusterSpec, min: string) =>
  autoScalingFaults.COMPUTE_AUTO_SCALING_MIN_INSTANCE_SIZE_INVALID(instanceSize, min);

/**
 * Throws if the range of sizes is invalid. By default, the minimum is the smallest size in the class of the cluster's
 * size.
 */
function checkRange(spec: ClusterSpec, min: string | undefined, max: string): void {
  const sizes = instanceSizes[firstProvider(spec)];
  const current = sizes.get(spec.instanceSize);
  if (current === undefined || hasLocalDisks(spec)) {
    throw autoScalingFaults.AUTO_SCALING_NOT_SUPPORTED(
      `clusters of the size ${spec.instanceSize} cannot be scaled`,
    );
  }
  const alike = [...sizes.values()].filter((size) => size.class === current.class);
  const highest = alike.find(({ name }) => name === max);
  if (highest === undefined) throw maxInvalid(spec, max);
  const lowest = min === undefined ? alike[0] : alike.find(({ name }) => name === min);
  if (lowest === undefined) throw minInvalid(spec, min ?? '');
  if (current.ramGB > highest.ramGB || current.ramGB < lowest.ramGB) {
    throw autoScalingFaults.COMPUTE_AUTO_SCALING_INSTANCE_SIZE_RANGE_INVALID(lowest.name, max);
  }
}
