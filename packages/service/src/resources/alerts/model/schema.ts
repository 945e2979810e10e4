import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../../api/fields.ts';

const optional = Type.Optional;

export const alertStatuses = ['TRACKING', 'OPEN', 'CLOSED'] as const;
export type AlertStatus = (typeof alertStatuses)[number];

/** The fields of the subject of an alert; the event type determines which are present. */
const alertSubject = {
  clusterId: optional(readOnly(Id())),
  clusterName: optional(Type.String({ readOnly: true })),
  hostnameAndPort: optional(Type.String({ readOnly: true })),
  metricName: optional(Type.String({ readOnly: true })),
  currentValue: optional(
    Type.Object(
      { number: Type.Number(), units: Type.String() },
      { readOnly: true, description: 'Latest measured value of the metric.' },
    ),
  ),
  replicaSetName: optional(Type.String({ readOnly: true })),
  userAlias: optional(
    Type.String({ readOnly: true, description: 'Host name of the node, without the port.' }),
  ),
  parentClusterId: optional(readOnly(Id())),
  nonRunningHostIds: optional(
    Type.Array(Type.String(), {
      readOnly: true,
      description:
        'Identifiers of the members that are down. Each is the MD5 hash of `host:port`. Only for alerts about replica sets.',
    }),
  ),
};

export const Alert = entity(
  Type.Object(
    {
      acknowledgedUntil: optional(
        DateTime({
          description:
            'Time until which notifications are not repeated. Absent while the alert is not acknowledged.',
        }),
      ),
      acknowledgementComment: optional(
        Type.String({ maxLength: 200, description: 'Comment of the caller that acknowledged the alert.' }),
      ),
      acknowledgingUsername: readOnly(
        Type.String({ description: 'User name or public key of the caller that acknowledged the alert.' }),
      ),
      alertConfigId: readOnly(Id()),
      created: readOnly(DateTime()),
      eventTypeName: readOnly(Type.String()),
      groupId: readOnly(Id()),
      id: readOnly(Id()),
      lastNotified: readOnly(DateTime({ description: 'Time of the latest notification.' })),
      links: Links,
      orgId: readOnly(Id()),
      resolved: readOnly(DateTime({ description: 'Time at which the alert was closed.' })),
      status: readOnly(
        Choice(alertStatuses, {
          description:
            '`TRACKING`: the condition is met, but no notification is due yet. `OPEN`: notifications are sent. `CLOSED`: the condition is no longer met.',
        }),
      ),
      updated: readOnly(DateTime()),
      ...alertSubject,
    },
    {
      description:
        'An alert: it reports that a cluster, node or other target meets, or has met, the condition of an alert configuration.',
    },
  ),
  {
    name: 'alert',
    self: 'getAlert',
    params: ({ groupId = '', id = '', alertConfigId = '' }) => ({ groupId, alertId: id, alertConfigId }),
    // Handlers set `isOrphan` on an alert whose configuration was deleted, so that the response omits the link to the
    // configuration. The field itself is not part of the response.
    lacks: (alert: object) => ('isOrphan' in alert ? ['alertConfig'] : []),
  },
);
export type Alert = Type.Static<typeof Alert>;

const { acknowledgementComment } = Alert.properties;

/** The request body of the first version, in which an omitted time withdraws the acknowledgement. */
export const FormerAcknowledgement = Type.Object({
  acknowledgedUntil: optional(
    DateTime({
      description:
        'Time until which notifications are not repeated. Omit it to withdraw the acknowledgement.',
    }),
  ),
  acknowledgementComment,
  links: Links,
});

export const Acknowledgement = Type.Object({
  acknowledgedUntil: optional(
    DateTime({
      description:
        'Time until which notifications are not repeated. Required unless the alert is already acknowledged.',
    }),
  ),
  acknowledgementComment,
  links: Links,
  unacknowledgeAlert: optional(
    Type.Boolean({ description: '`true` withdraws the acknowledgement, regardless of the other fields.' }),
  ),
});
export type Acknowledgement = Type.Static<typeof Acknowledgement>;
