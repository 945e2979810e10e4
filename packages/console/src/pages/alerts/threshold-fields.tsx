import { Gallery } from '@patternfly/react-core';
import { SelectField } from '../../parts/select-field.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { EventType, Threshold } from './model.ts';

/**
 * Completes a threshold: choices that are missing, or that the event type does not offer, get the first possible value.
 */
export function completed({ metrics, threshold }: EventType, given: Threshold): Threshold {
  const metric = metrics?.find(({ metricName }) => metricName === given.metricName) ?? metrics?.[0];
  const { units = [], defaultUnits = '' } = metric ?? threshold ?? {};
  const operators = threshold?.operators ?? [];
  const { operator, units: unit } = given;
  return {
    ...(metric && { metricName: metric.metricName }),
    operator: operator !== undefined && operators.includes(operator) ? operator : (operators[0] ?? ''),
    threshold: given.threshold ?? 0,
    units: unit !== undefined && units.includes(unit) ? unit : defaultUnits,
  };
}

const operatorTitles: Readonly<Record<string, string>> = { GREATER_THAN: 'above', LESS_THAN: 'below' };

interface ThresholdFieldsProps {
  readonly eventType: EventType;
  readonly value: Threshold;
  readonly onChange: (value: Threshold) => void;
  readonly error: Error | null;
}

/** The threshold of an event type that compares a number. Renders nothing for other event types. */
export function ThresholdFields({ eventType, value, onChange, error }: ThresholdFieldsProps) {
  const { metrics, threshold } = eventType;
  if (threshold === undefined) return null;
  const shown = completed(eventType, value);
  const metric = metrics?.find(({ metricName }) => metricName === shown.metricName);
  return (
    <Gallery hasGutter>
      {metrics && (
        <SelectField
          id="metricName"
          label="Metric"
          value={shown.metricName ?? ''}
          options={metrics.map(({ metricName }) => metricName)}
          onChange={(metricName) => onChange({ ...value, metricName })}
        />
      )}
      <SelectField
        id="operator"
        label="Is"
        value={shown.operator ?? ''}
        options={threshold.operators.map((one) => [one, operatorTitles[one] ?? one])}
        onChange={(operator) => onChange({ ...value, operator })}
      />
      <TextField
        id="threshold"
        label="Threshold"
        type="number"
        value={String(shown.threshold)}
        onChange={(text) => onChange({ ...value, threshold: Number(text) })}
        error={error}
        field={`${threshold.field}.threshold`}
      />
      <SelectField
        id="units"
        label="Units"
        value={shown.units ?? ''}
        options={(metric ?? threshold).units}
        onChange={(units) => onChange({ ...value, units })}
      />
    </Gallery>
  );
}
