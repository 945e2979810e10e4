import { faults } from '@portolan/foundation/faults';

export const configurationFaults = faults({
  ALERT_CONFIG_NOT_FOUND: [404, 'No alert configuration with the id {0} exists in project {1}.'],
  INVALID_ALERT_CONFIG_ID: [404, 'The id {0} is not 24 hexadecimal characters.'],
  INVALID_EVENT_TYPE_FOR_ALERT: [400, 'Alert configurations cannot use the event type {0}.'],
  ALERT_CONFIGS_TOO_LARGE: [
    400,
    'The alert configurations of a project can have at most {0} bytes together. Each notification counts as {1} additional bytes, and each character of a regular expression as {2} additional bytes.',
  ],
  MAX_ALERT_CONFIGS_PER_GROUP_EXCEEDED: [400, 'A project can have at most {0} alert configurations.'],
});

export const thresholdFaults = faults({
  MISSING_METRIC_THRESHOLD: [400, 'Alert configurations for {0} require a metricThreshold.'],
  METRIC_THRESHOLD_PRESENT: [400, 'Alert configurations for {0} do not accept a metricThreshold.'],
  MISSING_THRESHOLD: [400, 'Alert configurations for {0} require a threshold.'],
  THRESHOLD_PRESENT: [400, 'Alert configurations for {0} do not accept a threshold.'],
  INVALID_OPERATOR_FOR_EVENT_TYPE: [400, 'Thresholds for {1} do not accept the operator {0}.'],
  INVALID_METRIC_NAME: [404, 'No metric named {0} exists for this event type.'],
  UNITS_MISMATCH: [400, 'The units {0} cannot be used for this metric or event type.'],
  TOTAL_MODE_DEPRECATED: [400, 'Thresholds compare averages; the mode TOTAL is no longer supported.'],
});
