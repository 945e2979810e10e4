import { generalFaults } from '../../../api/faults.ts';
import { type EventKind, eventKindOf } from '../catalogue/event-kinds.ts';
import { metrics } from '../catalogue/metrics.ts';
import { defaultUnits, factorOf, type UnitSet } from '../catalogue/units.ts';
import { thresholdFaults } from './faults.ts';
import type { AlertConfiguration, MetricThreshold, Threshold } from './schema.ts';

type Thresholds = Pick<AlertConfiguration, 'threshold' | 'metricThreshold'>;

/**
 * Reads the thresholds of a configuration and fills in defaults. Throws if a required threshold is missing, or if the
 * event type does not accept a given one.
 */
export function readThresholds(eventType: string, body: Thresholds): Thresholds {
  const kind = eventKindOf(eventType) ?? { events: [] };
  const { threshold, metricThreshold } = body;
  const inThreshold = kind.threshold !== undefined || kind.metric === 'streams';
  const inMetric = kind.metric !== undefined && kind.metric !== 'streams';
  if (!inThreshold && threshold !== undefined) throw thresholdFaults.THRESHOLD_PRESENT(eventType);
  if (!inMetric && metricThreshold !== undefined) throw thresholdFaults.METRIC_THRESHOLD_PRESENT(eventType);
  if (inThreshold && threshold === undefined) throw thresholdFaults.MISSING_THRESHOLD(eventType);
  if (inMetric && metricThreshold === undefined) throw thresholdFaults.MISSING_METRIC_THRESHOLD(eventType);
  if (metricThreshold !== undefined)
    return { metricThreshold: readMetric(kind, metricThreshold, 'metricThreshold') };
  if (threshold === undefined) return {};
  return {
    threshold: kind.threshold ? readPlain(eventType, kind.threshold, threshold) : ofStreams(kind, threshold),
  };
}

function ofStreams(kind: EventKind, threshold: Threshold): MetricThreshold {
  const { metricName } = threshold;
  if (metricName === undefined) throw generalFaults.MISSING_ATTRIBUTE('threshold.metricName');
  return readMetric(kind, { ...threshold, metricName }, 'threshold');
}

function readMetric({ metric = 'host' }: EventKind, given: MetricThreshold, path: string): MetricThreshold {
  const { metricName, mode = 'AVERAGE' } = given;
  const set = metrics[metric].get(metricName);
  if (set === undefined) throw thresholdFaults.INVALID_METRIC_NAME(metricName).at(`${path}.metricName`);
  if (mode === 'TOTAL') throw thresholdFaults.TOTAL_MODE_DEPRECATED().at(`${path}.mode`);
  const { operator, threshold } = compared(given, path);
  return {
    metricName,
    mode,
    operator,
    threshold,
    units: readUnits(set, given.units, defaultUnits[set], path),
  };
}

function readPlain(
  eventType: string,
  rule: NonNullable<EventKind['threshold']>,
  given: Threshold,
): Threshold {
  if (given.metricName !== undefined) throw generalFaults.INVALID_ATTRIBUTE('threshold.metricName');
  if (given.mode !== undefined) throw generalFaults.INVALID_ATTRIBUTE('threshold.mode');
  const { operator, threshold } = compared(given, 'threshold');
  if (!rule.operators.includes(operator))
    throw thresholdFaults.INVALID_OPERATOR_FOR_EVENT_TYPE(operator, eventType).at('threshold.operator');
  if (!Number.isSafeInteger(threshold)) throw generalFaults.INVALID_JSON_ATTRIBUTE('threshold.threshold');
  return { operator, threshold, units: readUnits(rule.units, given.units, rule.unit, 'threshold') };
}

function compared({ operator, threshold }: Pick<Threshold, 'operator' | 'threshold'>, path: string) {
  if (operator === undefined) throw generalFaults.MISSING_ATTRIBUTE(`${path}.operator`);
  if (threshold === undefined) throw generalFaults.MISSING_ATTRIBUTE(`${path}.threshold`);
  return { operator, threshold };
}

function readUnits(set: UnitSet, given: string | undefined, byDefault: string, path: string): string {
  const units = given ?? byDefault;
  if (factorOf(set, units) === undefined) throw thresholdFaults.UNITS_MISMATCH(units).at(`${path}.units`);
  return units;
}
