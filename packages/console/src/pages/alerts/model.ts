import type { ApiEntry, Schemas } from '../../api/operations.ts';

/** Alert configurations, and the fields that they can have, depending on the event type (`listAlertEventTypes`). */

export type EventType = ApiEntry<'/alertConfigs/eventTypes'>;

type Described = Schemas['AlertConfiguration'];

export interface Threshold {
  readonly metricName?: string;
  readonly operator?: string;
  readonly threshold?: number;
  readonly units?: string;
}

export interface Matcher {
  readonly fieldName: string;
  readonly operator: string;
  readonly value: string;
}

/**
 * A notification. The type determines which other fields it has. `kinds` lists these fields, and a test compares the
 * list with the fields of the service.
 */
export interface Notification {
  readonly typeName: string;
  readonly [field: string]: unknown;
}

/** A configuration while a form changes it. */
export interface Configuration extends Pick<Described, 'enabled' | 'eventTypeName' | 'id'> {
  readonly matchers: readonly Matcher[];
  readonly metricThreshold?: Threshold;
  readonly threshold?: Threshold;
  readonly notifications: readonly Notification[];
  readonly severityOverride?: string;
}

const symbols: Readonly<Record<string, string>> = { GREATER_THAN: '>', LESS_THAN: '<' };

/** Describes in one line when a configuration opens an alert. */
export function conditionText({ metricThreshold, threshold, matchers }: Configuration): string {
  const compared = metricThreshold ?? threshold;
  const condition =
    compared &&
    [
      compared.metricName,
      symbols[compared.operator ?? ''],
      compared.threshold,
      compared.units === 'RAW' ? undefined : compared.units,
    ]
      .filter((part) => part !== undefined)
      .join(' ');
  const where = matchers.map(({ fieldName, operator, value }) => `${fieldName} ${operator} ${value}`);
  return [condition, ...where].filter((part) => part !== undefined).join('; ');
}
