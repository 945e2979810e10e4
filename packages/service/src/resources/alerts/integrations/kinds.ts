import Type from 'typebox';
import { Choice, emptyIsAbsent } from '../../../api/fields.ts';
import {
  type NotificationKind,
  type NotificationName,
  notificationKinds,
  notificationNames,
} from '../notifications/kinds.ts';

const optional = Type.Optional;
const text = (description: string) =>
  optional(emptyIsAbsent(Type.String({ minLength: 1, maxLength: 2048, description })));

/** The services that only monitor clusters, and get no notifications. */
const monitors = {
  NEW_RELIC: {
    fields: {
      accountId: text('Id of the New Relic account.'),
      licenseKey: text('License key of the New Relic account.'),
      readToken: text('Query key of the New Relic account.'),
      writeToken: text('Insert key of the New Relic account.'),
    },
    required: ['accountId', 'licenseKey', 'readToken', 'writeToken'],
    secrets: { licenseKey: 'text', readToken: 'text', writeToken: 'text' },
  },
  PROMETHEUS: {
    fields: {
      enabled: optional(Type.Boolean({ description: 'Whether Prometheus may read the metrics.' })),
      password: optional(
        Type.String({
          minLength: 1,
          maxLength: 2048,
          writeOnly: true,
          description: 'Password with which Prometheus logs in. Responses omit it.',
        }),
      ),
      sendUserProvidedResourceTagsEnabled: optional(
        Type.Boolean({ default: false, description: 'Whether the metrics have the tags of their cluster.' }),
      ),
      serviceDiscovery: optional(
        Choice(['http', 'file'], { description: 'How Prometheus finds the nodes of the clusters.' }),
      ),
      username: text('User name with which Prometheus logs in.'),
    },
    required: ['enabled', 'serviceDiscovery', 'username'],
    secrets: { password: 'text' },
  },
} as const satisfies Readonly<Record<string, NotificationKind>>;

export type IntegrationName = NotificationName | keyof typeof monitors;

/** The fields of each integration by type. */
export const integrationKinds: Readonly<Record<IntegrationName, NotificationKind>> = {
  ...notificationKinds,
  ...monitors,
};

/** The services with integrations. A notification of one of these types may omit its credentials. */
export const integrationTypes: readonly IntegrationName[] = [
  ...notificationNames.filter((name) => notificationKinds[name].byIntegration),
  ...(Object.keys(monitors) as (keyof typeof monitors)[]),
];
