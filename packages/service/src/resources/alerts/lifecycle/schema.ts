import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../../api/fields.ts';

const optional = Type.Optional;

export const alertStatuses = ['TRACKING', 'OPEN', 'CLOSED'] as const;
export type AlertStatus = (typeof alertStatuses)[number];

/** What an alert is about, beside its event; which of these there are follows from the event. */
const alertSubject = {
  clusterId: optional(readOnly(Id())),
  clusterName: optional(Type.String({ readOnly: true })),
  hostnameAndPort: optional(Type.String({ readOnly: true })),
  metricName: optional(Type.String({ readOnly: true })),
  currentValue: optional(
    Type.Object(
      { number: Type.Number(), units: Type.String() },
      { readOnly: true, description: 'What the metric was when it was looked at last.' },
    ),
  ),
  replicaSetName: optional(Type.String({ readOnly: true })),
  userAlias: optional(Type.String({ readOnly: true, description: 'The host without its port.' })),
  parentClusterId: optional(readOnly(Id())),
  nonRunningHostIds: optional(
    Type.Array(Type.String(), {
      readOnly: true,
      description: 'Of a replica set: the MD5 of host and port of each member that is down.',
    }),
  ),
};

export const Alert = entity(
  Type.Object(
    {
      acknowledgedUntil: optional(DateTime({ description: 'Until when nobody is told again.' })),
      acknowledgementComment: optional(Type.String({ maxLength: 200 })),
      acknowledgingUsername: readOnly(Type.String({ description: 'Who acknowledged it.' })),
      alertConfigId: readOnly(Id()),
      created: readOnly(DateTime()),
      eventTypeName: readOnly(Type.String()),
      groupId: readOnly(Id()),
      id: readOnly(Id()),
      lastNotified: readOnly(DateTime({ description: 'When somebody was told last.' })),
      links: Links,
      orgId: readOnly(Id()),
      resolved: readOnly(DateTime({ description: 'When it was closed.' })),
      status: readOnly(Choice(alertStatuses)),
      updated: readOnly(DateTime()),
      ...alertSubject,
    },
    { description: 'Something that is not as it should be, as one configuration sees it.' },
  ),
  {
    name: 'alert',
    self: 'getAlert',
    params: ({ groupId = '', id = '', alertConfigId = '' }) => ({ groupId, alertId: id, alertConfigId }),
  },
);
export type Alert = Type.Static<typeof Alert>;

const acknowledgement = {
  acknowledgedUntil: optional(DateTime({ description: 'Absent: it is not acknowledged any more.' })),
  acknowledgementComment: Alert.properties.acknowledgementComment,
  links: Links,
};

/** Of the first versions. */
export const FormerAcknowledgement = Type.Object(acknowledgement);

export const Acknowledgement = Type.Object({
  ...acknowledgement,
  unacknowledgeAlert: optional(
    Type.Boolean({ description: '`true`: it is not acknowledged any more, whatever else is given.' }),
  ),
});
export type Acknowledgement = Type.Static<typeof Acknowledgement>;
