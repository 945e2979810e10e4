import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../../api/fields.ts';

const optional = Type.Optional;

export const alertStatuses = ['TRACKING', 'OPEN', 'CLOSED'] as const;
export type AlertStatus = (typeof alertStatuses)[number];

/** The subject of an alert; the event type determines which fields are present. */
const alertSubject = {
  clusterId: optional(readOnly(Id())),
  clusterName: optional(Type.String({ readOnly: true })),
  hostnameAndPort: optional(Type.String({ readOnly: true })),
  metricName: optional(Type.String({ readOnly: true })),
  currentValue: optional(
    Type.Object(
      { number: Type.Number(), units: Type.String() },
      { readOnly: true, description: 'The last observed value of the metric.' },
    ),
  ),
  replicaSetName: optional(Type.String({ readOnly: true })),
  userAlias: optional(Type.String({ readOnly: true, description: 'The host name without the port.' })),
  parentClusterId: optional(readOnly(Id())),
  nonRunningHostIds: optional(
    Type.Array(Type.String(), {
      readOnly: true,
      description: 'Replica sets only: the MD5 of host and port of each member that is down.',
    }),
  ),
};

export const Alert = entity(
  Type.Object(
    {
      acknowledgedUntil: optional(DateTime({ description: 'Until when notifications are suspended.' })),
      acknowledgementComment: optional(Type.String({ maxLength: 200 })),
      acknowledgingUsername: readOnly(Type.String({ description: 'The user who acknowledged the alert.' })),
      alertConfigId: readOnly(Id()),
      created: readOnly(DateTime()),
      eventTypeName: readOnly(Type.String()),
      groupId: readOnly(Id()),
      id: readOnly(Id()),
      lastNotified: readOnly(DateTime({ description: 'When the last notification was sent.' })),
      links: Links,
      orgId: readOnly(Id()),
      resolved: readOnly(DateTime({ description: 'When the alert was closed.' })),
      status: readOnly(Choice(alertStatuses)),
      updated: readOnly(DateTime()),
      ...alertSubject,
    },
    { description: 'A condition of an alert configuration that holds or has held.' },
  ),
  {
    name: 'alert',
    self: 'getAlert',
    params: ({ groupId = '', id = '', alertConfigId = '' }) => ({ groupId, alertId: id, alertConfigId }),
    // Handlers add this property to an alert whose configuration was deleted; responses do not contain it.
    lacks: (alert: object) => ('isOrphan' in alert ? ['alertConfig'] : []),
  },
);
export type Alert = Type.Static<typeof Alert>;

const { acknowledgementComment } = Alert.properties;

/** The body in the first version, where omitting the time withdraws the acknowledgement. */
export const FormerAcknowledgement = Type.Object({
  acknowledgedUntil: optional(
    DateTime({
      description: 'Until when notifications are suspended; omitted to withdraw the acknowledgement.',
    }),
  ),
  acknowledgementComment,
  links: Links,
});

export const Acknowledgement = Type.Object({
  acknowledgedUntil: optional(
    DateTime({
      description: 'Until when notifications are suspended; required for a first acknowledgement.',
    }),
  ),
  acknowledgementComment,
  links: Links,
  unacknowledgeAlert: optional(
    Type.Boolean({ description: '`true` withdraws the acknowledgement, regardless of the other fields.' }),
  ),
});
export type Acknowledgement = Type.Static<typeof Acknowledgement>;
