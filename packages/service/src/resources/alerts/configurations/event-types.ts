import Type from 'typebox';
import { extension } from '../../services.ts';
import { alertableEvents, type EventKind, eventKindOf } from '../catalogue/event-kinds.ts';
import { metrics } from '../catalogue/metrics.ts';
import { defaultUnits, type UnitSet, unitSets } from '../catalogue/units.ts';

const optional = Type.Optional;

const measured = {
  defaultUnits: Type.String(),
  units: Type.Array(Type.String()),
};

const AlertEventType = Type.Object(
  {
    description: Type.String(),
    eventTypeName: Type.String(),
    matcherFields: Type.Array(Type.String(), {
      description: 'Fields that matchers can use. If the list is empty, matchers can use any field.',
    }),
    metrics: optional(
      Type.Array(Type.Object({ metricName: Type.String(), ...measured }), {
        description:
          'Values that `metricName` of the threshold can have; absent if the threshold has no `metricName`.',
      }),
    ),
    threshold: optional(
      Type.Object({
        ...measured,
        field: Type.String({
          description:
            'Which field of a configuration contains the threshold: `threshold` or `metricThreshold`.',
        }),
        operators: Type.Array(Type.String()),
      }),
    ),
  },
  { description: 'An event type that alert configurations can use, and the fields of such a configuration.' },
);

const unitsOf = (set: UnitSet, unit = defaultUnits[set]) => ({
  defaultUnits: unit,
  units: Object.keys(unitSets[set]),
});

function thresholdOf({ metric, threshold }: EventKind) {
  if (threshold !== undefined) {
    const { operators, units, unit } = threshold;
    return { threshold: { field: 'threshold', operators: [...operators], ...unitsOf(units, unit) } };
  }
  if (metric === undefined) return {};
  const field = metric === 'streams' ? 'threshold' : 'metricThreshold';
  return {
    threshold: { field, operators: ['GREATER_THAN', 'LESS_THAN'], ...unitsOf('raw') },
    metrics: [...metrics[metric]].map(([metricName, set]) => ({ metricName, ...unitsOf(set) })),
  };
}

export const listAlertEventTypes = extension({
  id: 'listAlertEventTypes',
  summary: 'Lists the event types that alert configurations can use, with their matchers and thresholds.',
  tag: 'Alert Configurations',
  method: 'GET',
  path: '/alertConfigs/eventTypes',
  access: 'any caller',
  reply: AlertEventType,
  list: 'array',
  status: 200,
  sameForAll: true,
  handler: async ({ services }) =>
    alertableEvents.map((eventTypeName) => {
      const kind: EventKind = eventKindOf(eventTypeName) ?? { events: [] };
      const description = services.eventTypes[eventTypeName] ?? eventTypeName;
      return { eventTypeName, description, matcherFields: [...(kind.matchers ?? [])], ...thresholdOf(kind) };
    }),
});
