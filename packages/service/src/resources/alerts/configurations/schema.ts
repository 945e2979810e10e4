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
    fieldName: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Field of the target that is compared with `value`, such as `CLUSTER_NAME`.',
    }),
    operator: Choice(matcherOperators, { description: 'How the field is compared with `value`.' }),
    value: Type.String({
      maxLength: 1000,
      description: 'Value with which the field is compared; a regular expression for the operator `REGEX`.',
    }),
  },
  {
    description:
      'A condition that selects targets. A configuration applies to targets that meet the conditions of all its matchers.',
  },
);
export type Matcher = Type.Static<typeof Matcher>;

const thresholdFields = {
  mode: optional(
    Choice(['AVERAGE', 'TOTAL'], {
      description:
        'How measurements are combined before they are compared with the threshold. Only `AVERAGE` is accepted.',
    }),
  ),
  operator: optional(
    Choice(['GREATER_THAN', 'LESS_THAN'], {
      description:
        '`GREATER_THAN`: an alert opens when the value is above the threshold. `LESS_THAN`: an alert opens when the value is below it.',
    }),
  ),
  units: optional(
    Type.String({
      description: 'Unit of the threshold. The metric or event type determines which units are accepted.',
    }),
  ),
};

export const MetricThreshold = Type.Object(
  {
    ...thresholdFields,
    metricName: Type.String({ description: 'Metric that is compared with the threshold.' }),
    threshold: optional(Type.Number({ description: 'The limit, in the unit that the field `units` names.' })),
  },
  {
    description:
      'The limit of a metric. An alert opens when the metric rises above the limit (`GREATER_THAN`) or falls below it (`LESS_THAN`).',
  },
);
export type MetricThreshold = Type.Static<typeof MetricThreshold>;

export const Threshold = Type.Object(
  {
    ...thresholdFields,
    metricName: optional(
      Type.String({ description: 'Metric that is compared with the threshold; only for stream processors.' }),
    ),
    threshold: optional(Type.Number({ description: 'The limit, in the unit that the field `units` names.' })),
  },
  {
    description:
      'The limit of a value, such as the number of elections or the age of the last snapshot. An alert opens when the value rises above the limit (`GREATER_THAN`) or falls below it (`LESS_THAN`).',
  },
);
export type Threshold = Type.Static<typeof Threshold>;

export const severities = ['INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const;

export const AlertConfiguration = entity(
  Type.Object(
    {
      created: readOnly(DateTime()),
      enabled: optional(
        Type.Boolean({
          default: false,
          description: 'Whether the configuration opens alerts and sends notifications.',
        }),
      ),
      eventTypeName: ruled(Type.String({ description: 'Event type that opens the alert.' }), {
        enum: [...alertableEvents],
      }),
      groupId: readOnly(Id()),
      id: readOnly(Id()),
      links: Links,
      matchers: optional(
        Type.Array(Matcher, {
          maxItems: 100,
          default: [],
          description:
            'Conditions that select the targets of the configuration. An empty list selects all targets.',
        }),
      ),
      metricThreshold: optional(MetricThreshold),
      notifications: ruled(
        Type.Array(Notification, { maxItems: 200, description: 'Whom the service notifies, and when.' }),
        { minItems: 1 },
      ),
      severityOverride: optional(
        Choice(severities, {
          description: 'Severity of the alerts, instead of the default severity of the event type.',
        }),
      ),
      threshold: optional(Threshold),
      updated: LatestTime(),
    },
    { description: 'A rule that says which condition opens an alert, and whom the service notifies.' },
  ),
  {
    name: 'alertConfiguration',
    self: 'getAlertConfiguration',
    params: ({ groupId = '', id = '' }) => ({ groupId, alertConfigId: id }),
  },
);
export type AlertConfiguration = Type.Static<typeof AlertConfiguration>;

export const AlertsToggle = Type.Object({
  enabled: optional(
    Type.Boolean({ description: 'Whether the configuration opens alerts and sends notifications.' }),
  ),
});
