/** Alert configurations, and what each event type lets them contain (`listAlertEventTypes`). */

interface Units {
  readonly units: readonly string[];
  readonly defaultUnits: string;
}

export interface EventType {
  readonly eventTypeName: string;
  readonly description: string;
  /** Fields that matchers can use. If the list is empty, matchers can use any field. */
  readonly matcherFields: readonly string[];
  readonly metrics?: readonly (Units & { readonly metricName: string })[];
  readonly threshold?: Units & { readonly field: string; readonly operators: readonly string[] };
}

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

export interface Notification {
  readonly typeName: string;
  readonly [field: string]: unknown;
}

export interface Configuration {
  readonly id: string;
  readonly eventTypeName: string;
  readonly enabled: boolean;
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
