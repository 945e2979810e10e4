import { baseUnits, factorOf, type UnitSet } from '../catalogue/units.ts';
import type { MetricThreshold, Threshold } from '../configurations/schema.ts';

/** Whether a value is beyond a threshold. The value is in the base unit of the unit set. */
export function isBeyond(threshold: MetricThreshold | Threshold, set: UnitSet, value: number): boolean {
  const limit = (threshold.threshold ?? 0) * (factorOf(set, threshold.units ?? baseUnits[set]) ?? 1);
  return threshold.operator === 'LESS_THAN' ? value < limit : value > limit;
}
