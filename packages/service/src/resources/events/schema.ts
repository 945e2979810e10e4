import Type, { type TSchema } from 'typebox';
import { entity } from '../../api/entity.ts';
import { DateTime, Id, Links } from '../../api/fields.ts';
import type { EventDetails } from '../../events/index.ts';

const optional = Type.Optional;

/** Fields of all events. Each event type adds fields of its own. */
const common = {
  apiKeyId: optional(Id({ description: 'Id of the API key of the caller.' })),
  created: DateTime(),
  eventTypeName: Type.String(),
  groupId: optional(Id()),
  id: Id(),
  isGlobalAdmin: Type.Boolean({ default: false }),
  links: Links,
  orgId: optional(Id()),
  publicKey: optional(Type.String({ description: 'Public key of the caller.' })),
  raw: optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'Internal form of the event, which may change without notice.',
      },
    ),
  ),
  remoteAddress: optional(Type.String()),
  userId: optional(Id({ description: 'Id of the user, if the caller is a user.' })),
  username: optional(Type.String({ description: 'User name of the caller.' })),
};

const details = {
  accessListEntry: optional(Type.String()),
  alertConfigId: optional(Id()),
  alertId: optional(Id()),
  clusterName: optional(Type.String()),
  currentValue: optional(Type.Object({ number: Type.Number(), units: Type.String() })),
  customRoleName: optional(Type.String()),
  dbUserUsername: optional(Type.String()),
  hostname: optional(Type.String()),
  metricName: optional(Type.String()),
  port: optional(Type.Integer()),
  reason: optional(
    Type.String({
      description: 'Reason of the event, such as why a cluster is REPAIRING or why a task failed.',
    }),
  ),
  replicaSetName: optional(Type.String()),
  resourceId: optional(Type.String()),
  resourceType: optional(Type.String()),
  shardName: optional(Type.String()),
  targetPublicKey: optional(Type.String()),
  targetUsername: optional(Type.String()),
  teamId: optional(Id()),
} satisfies Record<'clusterName' | keyof EventDetails, TSchema>;

const description =
  'An event, with the caller that caused it. Events that the service itself causes have no caller.';

export const ProjectEvent = entity(Type.Object({ ...common, ...details }, { description }), {
  name: 'projectEvent',
  self: 'getProjectEvent',
  params: (e) => ({ groupId: e.groupId ?? '', eventId: e.id }),
});

export const OrganizationEvent = entity(Type.Object({ ...common, ...details }, { description }), {
  name: 'organizationEvent',
  self: 'getOrganizationEvent',
  params: (e) => ({ orgId: e.orgId ?? '', eventId: e.id }),
});
export type EventView = Omit<Type.Static<typeof OrganizationEvent>, 'links'>;

export const EventTypeDetails = entity(
  Type.Object({
    alertable: Type.Boolean({ description: 'Whether alert configurations can use this event type.' }),
    description: Type.String({ description: 'Text that describes the event type.' }),
    eventType: Type.String({ description: 'Name of the event type.' }),
    links: Links,
  }),
  { name: 'eventType', self: 'listEventTypes', params: () => ({}) },
);

export const FeedQuery = {
  eventType: optional(Type.Array(Type.String(), { description: 'Returns only events of these types.' })),
  includeRaw: optional(
    Type.Boolean({ default: false, description: 'Whether each event contains its internal form, `raw`.' }),
  ),
  maxDate: optional(DateTime({ description: 'Time of the newest event to return.' })),
  minDate: optional(DateTime({ description: 'Time of the oldest event to return.' })),
};
