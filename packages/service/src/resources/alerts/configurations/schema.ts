import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly, ruled } from '../../../api/fields.ts';
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
    fieldName: Type.String({ minLength: 1, maxLength: 100, description: 'What of a target is looked at.' }),
    operator: Choice(matcherOperators),
    value: Type.String({ maxLength: 1000, description: 'With what it is compared.' }),
  },
  { description: 'One condition for targets; all of a configuration must hold.' },
);
export type Matcher = Type.Static<typeof Matcher>;

const thresholdFields = {
  mode: optional(Choice(['AVERAGE', 'TOTAL'], { description: 'Always `AVERAGE`.' })),
  operator: optional(Choice(['GREATER_THAN', 'LESS_THAN'])),
  units: optional(Type.String({ description: 'Of the set that event or metric has.' })),
};

export const MetricThreshold = Type.Object(
  {
    ...thresholdFields,
    metricName: Type.String({ description: 'The metric that is compared.' }),
    threshold: optional(Type.Number()),
  },
  { description: 'With what a metric is compared.' },
);
export type MetricThreshold = Type.Static<typeof MetricThreshold>;

export const Threshold = Type.Object(
  {
    ...thresholdFields,
    metricName: optional(Type.String({ description: 'Of stream processors: the metric that is compared.' })),
    threshold: optional(Type.Number()),
  },
  { description: 'With what the number of an event is compared.' },
);
export type Threshold = Type.Static<typeof Threshold>;

export const severities = ['INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const;

export const AlertConfiguration = entity(
  Type.Object(
    {
      created: readOnly(DateTime()),
      enabled: optional(Type.Boolean({ default: false, description: 'Whether anybody is told.' })),
      eventTypeName: ruled(Type.String({ description: 'What has to happen.' }), {
        enum: [...alertableEvents],
      }),
      groupId: readOnly(Id()),
      id: readOnly(Id()),
      links: Links,
      matchers: optional(
        Type.Array(Matcher, { maxItems: 100, default: [], description: 'To which targets it applies.' }),
      ),
      metricThreshold: optional(MetricThreshold),
      notifications: ruled(Type.Array(Notification, { maxItems: 200 }), { minItems: 1 }),
      severityOverride: optional(Choice(severities, { description: 'The severity of its alerts.' })),
      threshold: optional(Threshold),
      updated: readOnly(DateTime()),
    },
    { description: 'Whom to tell, and how, when something happens in a project.' },
  ),
  {
    name: 'alertConfiguration',
    self: 'getAlertConfiguration',
    params: ({ groupId = '', id = '' }) => ({ groupId, alertConfigId: id }),
  },
);
export type AlertConfiguration = Type.Static<typeof AlertConfiguration>;

export const AlertsToggle = Type.Object({
  enabled: optional(Type.Boolean({ description: 'Whether anybody is told.' })),
});
