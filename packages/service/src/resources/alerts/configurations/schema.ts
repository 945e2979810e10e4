import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, LatestTime, Links, readOnly, ruled } from '../../../api/fields.ts';
import { alertableEvents } from '../catalogue/event-kinds.ts';
import { Notification } from '../notifications/kinds.ts';

const optional = Type.Optional;

const matcherOperators = [
  'EQUALS',
  'NOT_EQUALS',
  'CONTAINS',
  'NOT_CONTAINS',
  'STARTS_WITH',
  'ENDS_WITH',
  'REGEX',
] as const;

export const Matcher = Type.Object(
  {
    fieldName: Type.String({ minLength: 1, maxLength: 100, description: 'The field of the target.' }),
    operator: Choice(matcherOperators),
    value: Type.String({ maxLength: 1000, description: 'The value to compare with.' }),
  },
  { description: 'A condition on targets. All matchers of a configuration must match.' },
);
export type Matcher = Type.Static<typeof Matcher>;

const thresholdFields = {
  mode: optional(
    Choice(['AVERAGE', 'TOTAL'], {
      description: 'Aggregation of the metric. Must be `AVERAGE`; `TOTAL` is rejected.',
    }),
  ),
  operator: optional(Choice(['GREATER_THAN', 'LESS_THAN'])),
  units: optional(Type.String({ description: 'A unit that the event type or metric supports.' })),
};

export const MetricThreshold = Type.Object(
  {
    ...thresholdFields,
    metricName: Type.String({ description: 'The metric to compare.' }),
    threshold: optional(Type.Number()),
  },
  { description: 'The threshold of a metric.' },
);
export type MetricThreshold = Type.Static<typeof MetricThreshold>;

export const Threshold = Type.Object(
  {
    ...thresholdFields,
    metricName: optional(Type.String({ description: 'Stream processors only: the metric to compare.' })),
    threshold: optional(Type.Number()),
  },
  { description: 'The threshold of an event type with a number.' },
);
export type Threshold = Type.Static<typeof Threshold>;

export const severities = ['INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const;

export const AlertConfiguration = entity(
  Type.Object(
    {
      created: readOnly(DateTime()),
      enabled: optional(Type.Boolean({ default: false, description: 'Whether notifications are sent.' })),
      eventTypeName: ruled(Type.String({ description: 'The event type that triggers the alert.' }), {
        enum: [...alertableEvents],
      }),
      groupId: readOnly(Id()),
      id: readOnly(Id()),
      links: Links,
      matchers: optional(
        Type.Array(Matcher, {
          maxItems: 100,
          default: [],
          description: 'Which targets the configuration applies to.',
        }),
      ),
      metricThreshold: optional(MetricThreshold),
      notifications: ruled(Type.Array(Notification, { maxItems: 200 }), { minItems: 1 }),
      severityOverride: optional(Choice(severities, { description: 'The severity of the alerts.' })),
      threshold: optional(Threshold),
      updated: LatestTime(),
    },
    { description: 'A rule that defines which condition triggers an alert, and who is notified.' },
  ),
  {
    name: 'alertConfiguration',
    self: 'getAlertConfiguration',
    params: ({ groupId = '', id = '' }) => ({ groupId, alertConfigId: id }),
  },
);
export type AlertConfiguration = Type.Static<typeof AlertConfiguration>;

export const AlertsToggle = Type.Object({
  enabled: optional(Type.Boolean({ description: 'Whether notifications are sent.' })),
});
