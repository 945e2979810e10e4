import type { EntityDocument } from '../../api/dialect/entities.ts';
import { isPlainObject } from '../../api/schema/json-schema.ts';

/**
 * This file converts the thresholds of alerts about stream processors. In the vendor's form, they are in
 * `metricThreshold`, as for other metrics. The vendor's documents name the field `threshold`, as the neutral form does.
 */

const STREAM_EVENT = 'OUTSIDE_STREAM_PROCESSOR_METRIC_THRESHOLD';

/** Moves the threshold of a metric of stream processors to the field that the operations accept. */
export function withStreamThreshold(body: unknown): unknown {
  if (!isPlainObject(body) || body.eventTypeName !== STREAM_EVENT) return body;
  const { metricThreshold, ...others } = body;
  return metricThreshold === undefined ? body : { threshold: metricThreshold, ...others };
}

export function presentAlertConfiguration(configuration: EntityDocument): EntityDocument {
  if (configuration.eventTypeName !== STREAM_EVENT) return configuration;
  const { threshold, ...others } = configuration;
  return { ...others, metricThreshold: threshold };
}
