import Type, { type TSchema } from 'typebox';
import { Choice, emptyIsAbsent, Id } from '../../../api/fields.ts';

const optional = Type.Optional;
const text = (description: string) => optional(Type.String({ minLength: 1, maxLength: 2048, description }));
const flag = (description: string) => optional(Type.Boolean({ description }));
const region = (values: readonly string[]) =>
  optional(
    Choice<readonly string[]>(values, {
      default: 'US',
      description: 'Region of the account at the third-party service.',
    }),
  );

/** How a secret is masked: both forms show its last four characters, and `address` also shows the host. */
type SecretForm = 'text' | 'address';

/**
 * One of the fourteen kinds of notification (docs/contract/api.md 2.2; docs/contract/access.md 8.7). The fields common
 * to all kinds are declared below.
 */
export interface NotificationKind {
  readonly fields: Readonly<Record<string, TSchema>>;
  /** Required fields. The value of a secret field may also come from an integration or from a stored notification. */
  readonly required: readonly string[];
  readonly secrets?: Readonly<Record<string, SecretForm>>;
  /** Whether the receiving service itself repeats notifications, so that they have no interval. */
  readonly repeatsItself?: boolean;
  /** Whether notifications of this kind can use the credentials of the project's integration. */
  readonly byIntegration?: boolean;
}

const people = {
  emailEnabled: flag('Whether to send e-mail.'),
  smsEnabled: flag('Whether to send text messages.'),
};
const roles = (of: string) =>
  optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 20,
      description: `Roles in the ${of}. Only members with one of these roles are notified. Without this list, all members are notified.`,
    }),
  );

const kinds = {
  DATADOG: {
    fields: {
      monitoringApiKey: text('API key of the Datadog account: 32 hexadecimal digits.'),
      monitoringRegion: region(['US', 'EU', 'US3', 'US5', 'AP1', 'US1_FED']),
    },
    required: ['monitoringApiKey'],
    secrets: { monitoringApiKey: 'text' },
    byIntegration: true,
  },
  EMAIL: {
    fields: {
      emailAddress: optional(
        Type.String({ format: 'email', maxLength: 254, description: 'Address to which e-mail is sent.' }),
      ),
    },
    required: ['emailAddress'],
  },
  GROUP: { fields: { ...people, roles: roles('project') }, required: [] },
  HIP_CHAT: {
    fields: {
      notificationToken: text('API token of the HipChat account.'),
      roomName: text('Name of the HipChat room.'),
    },
    required: ['notificationToken', 'roomName'],
    secrets: { notificationToken: 'text' },
    byIntegration: true,
  },
  MICROSOFT_TEAMS: {
    fields: { microsoftTeamsWebhookUrl: text('Webhook URL of the Microsoft Teams channel.') },
    required: ['microsoftTeamsWebhookUrl'],
    secrets: { microsoftTeamsWebhookUrl: 'address' },
    byIntegration: true,
  },
  OPS_GENIE: {
    fields: {
      opsGenieApiKey: text('API key of the Opsgenie integration.'),
      opsGenieRegion: region(['US', 'EU']),
    },
    required: ['opsGenieApiKey'],
    secrets: { opsGenieApiKey: 'text' },
    repeatsItself: true,
    byIntegration: true,
  },
  ORG: { fields: { ...people, roles: roles('organization') }, required: [] },
  PAGER_DUTY: {
    fields: {
      serviceKey: text('Integration key of the PagerDuty service: 32 hexadecimal digits.'),
      region: region(['US', 'EU']),
    },
    required: ['serviceKey'],
    secrets: { serviceKey: 'text' },
    repeatsItself: true,
    byIntegration: true,
  },
  SLACK: {
    fields: {
      apiToken: text('API token of the Slack app.'),
      channelName: text('Name of the Slack channel.'),
    },
    required: ['apiToken', 'channelName'],
    secrets: { apiToken: 'text' },
    byIntegration: true,
  },
  SMS: {
    fields: {
      mobileNumber: optional(
        Type.String({
          pattern: '^[+]?[0-9]{3,20}$',
          description: 'Telephone number: digits, optionally after a plus sign.',
        }),
      ),
    },
    required: ['mobileNumber'],
  },
  TEAM: {
    fields: {
      ...people,
      teamId: optional(Id()),
      teamName: optional(Type.String({ maxLength: 128, description: 'Name of the team.' })),
    },
    required: ['teamId'],
  },
  USER: {
    fields: {
      ...people,
      username: optional(
        Type.String({ maxLength: 254, description: 'User name of a member of the project.' }),
      ),
    },
    required: ['username'],
  },
  VICTOR_OPS: {
    fields: {
      victorOpsApiKey: text('API key of the VictorOps account.'),
      victorOpsRoutingKey: text('VictorOps routing key, which selects the team that is notified.'),
    },
    required: ['victorOpsApiKey'],
    secrets: { victorOpsApiKey: 'text' },
    repeatsItself: true,
    byIntegration: true,
  },
  WEBHOOK: {
    fields: {
      webhookUrl: text('URL to which the service posts alerts.'),
      webhookSecret: text('Key with which the service signs posted alerts.'),
    },
    required: ['webhookUrl'],
    secrets: { webhookUrl: 'address', webhookSecret: 'text' },
    byIntegration: true,
  },
} as const satisfies Readonly<Record<string, NotificationKind>>;

export type NotificationName = keyof typeof kinds;

/** All kinds, by `typeName`. An empty text counts as absent in a required field, so that both have the same error. */
export const notificationKinds = Object.fromEntries(
  Object.entries<NotificationKind>(kinds).map(([name, kind]) => [name, withoutEmpty(kind)]),
) as Readonly<Record<NotificationName, NotificationKind>>;

function withoutEmpty({ fields, ...kind }: NotificationKind): NotificationKind {
  const required = kind.required.flatMap((name) => {
    const field = fields[name];
    return field === undefined ? [] : [[name, optional(emptyIsAbsent(field))]];
  });
  return { ...kind, fields: { ...fields, ...Object.fromEntries(required) } };
}

export const notificationNames = Object.keys(kinds) as NotificationName[];

const NUMBER_LIMIT = 2 ** 31 - 1;
const minutes = (options: object) => optional(Type.Integer({ maximum: NUMBER_LIMIT, ...options }));

const common = {
  delayMin: minutes({
    minimum: 0,
    description: 'Number of minutes that the condition must last before the first notification is sent.',
  }),
  notifierId: optional(
    Id({
      description:
        'Id of the notification. A request that contains the id may omit the secrets of the notification, which then keep their values.',
    }),
  ),
};

function schemaOf(name: NotificationName) {
  const { fields, repeatsItself, byIntegration } = notificationKinds[name];
  return Type.Object({
    typeName: Choice([name], { description: 'Kind of the recipient.' }),
    ...common,
    ...(repeatsItself
      ? {}
      : {
          intervalMin: minutes({
            description: 'Number of minutes between repetitions of the notification; at least 5.',
          }),
        }),
    ...(byIntegration
      ? {
          integrationId: optional(
            Id({
              description:
                'Id of a third-party integration of the project. The notification uses the credentials of the integration.',
            }),
          ),
        }
      : {}),
    ...fields,
  });
}

/** A notification in requests and responses. Its kind determines which fields it has. */
export interface Notification {
  readonly typeName: NotificationName;
  readonly delayMin?: number;
  readonly intervalMin?: number;
  readonly notifierId?: string;
  /** The id of a new notification, if the caller chooses it. Dialects set this field. */
  readonly chosenId?: string;
  readonly integrationId?: string;
  readonly [field: string]: unknown;
}

export const Notification = Type.Unsafe<Notification>({
  anyOf: notificationNames.map(schemaOf),
  description:
    'A recipient of notifications, and when it is notified. Responses show only the last four characters of secrets.',
});
