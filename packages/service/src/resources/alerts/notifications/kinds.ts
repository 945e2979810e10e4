import Type, { type TSchema } from 'typebox';
import { Choice, Id } from '../../../api/fields.ts';

const optional = Type.Optional;
const text = (description: string) => optional(Type.String({ minLength: 1, maxLength: 2048, description }));
const flag = (description: string) => optional(Type.Boolean({ description }));
const region = (values: readonly string[]) =>
  optional(Choice<readonly string[]>(values, { default: 'US', description: 'Where the account is.' }));

/** How a secret is shown afterwards: its last four characters, or of an address the host, too. */
type SecretForm = 'text' | 'address';

/** One of the fourteen ways to tell somebody of an alert (contract 2.2; behaviour reference 8.7), beside common fields. */
export interface NotificationKind {
  readonly fields: Readonly<Record<string, TSchema>>;
  /** Fields without which nobody can be told; of a secret one, an integration or what was stored may stand in. */
  readonly required: readonly string[];
  readonly secrets?: Readonly<Record<string, SecretForm>>;
  /** The service repeats by itself: configurations have no interval for it. */
  readonly repeatsItself?: boolean;
  /** Its credentials may be those of the project's integration. */
  readonly byIntegration?: boolean;
}

const people = {
  emailEnabled: flag('Whether they get mail.'),
  smsEnabled: flag('Whether they get a text message.'),
};
const roles = (of: string) =>
  optional(
    Type.Array(Type.String(), { maxItems: 20, description: `Roles in the ${of}; absent: everybody.` }),
  );

const kinds = {
  DATADOG: {
    fields: {
      monitoringApiKey: text('The key of the monitoring service, 32 hexadecimal digits.'),
      monitoringRegion: region(['US', 'EU', 'US3', 'US5', 'AP1', 'US1_FED']),
    },
    required: ['monitoringApiKey'],
    secrets: { monitoringApiKey: 'text' },
    byIntegration: true,
  },
  EMAIL: {
    fields: { emailAddress: optional(Type.String({ format: 'email', maxLength: 254 })) },
    required: ['emailAddress'],
  },
  GROUP: { fields: { ...people, roles: roles('project') }, required: [] },
  HIP_CHAT: {
    fields: { notificationToken: text('The token of the chat.'), roomName: text('The room.') },
    required: ['notificationToken', 'roomName'],
    secrets: { notificationToken: 'text' },
    byIntegration: true,
  },
  MICROSOFT_TEAMS: {
    fields: { microsoftTeamsWebhookUrl: text('The address that the team chat has given out.') },
    required: ['microsoftTeamsWebhookUrl'],
    secrets: { microsoftTeamsWebhookUrl: 'address' },
    byIntegration: true,
  },
  OPS_GENIE: {
    fields: {
      opsGenieApiKey: text('The key of the incident service.'),
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
      serviceKey: text('The key of the incident service, 32 hexadecimal digits.'),
      region: region(['US', 'EU']),
    },
    required: ['serviceKey'],
    secrets: { serviceKey: 'text' },
    repeatsItself: true,
    byIntegration: true,
  },
  SLACK: {
    fields: { apiToken: text('The token of the chat.'), channelName: text('The channel.') },
    required: ['apiToken', 'channelName'],
    secrets: { apiToken: 'text' },
    byIntegration: true,
  },
  SMS: {
    fields: {
      mobileNumber: optional(
        Type.String({
          pattern: '^[+]?[0-9]{3,20}$',
          description: 'Digits, after a plus where there is one.',
        }),
      ),
    },
    required: ['mobileNumber'],
  },
  TEAM: {
    fields: { ...people, teamId: optional(Id()), teamName: optional(Type.String()) },
    required: ['teamId'],
  },
  USER: {
    fields: { ...people, username: optional(Type.String({ description: 'A member of the project.' })) },
    required: ['username'],
  },
  VICTOR_OPS: {
    fields: {
      victorOpsApiKey: text('The key of the incident service.'),
      victorOpsRoutingKey: text('To whom the service sends it on.'),
    },
    required: ['victorOpsApiKey'],
    secrets: { victorOpsApiKey: 'text' },
    repeatsItself: true,
    byIntegration: true,
  },
  WEBHOOK: {
    fields: {
      webhookUrl: text('Where the alert is posted to.'),
      webhookSecret: text('The key of the signature of what is posted.'),
    },
    required: ['webhookUrl'],
    secrets: { webhookUrl: 'address', webhookSecret: 'text' },
    byIntegration: true,
  },
} as const satisfies Readonly<Record<string, NotificationKind>>;

export type NotificationName = keyof typeof kinds;

/** All kinds, by `typeName`. */
export const notificationKinds: Readonly<Record<NotificationName, NotificationKind>> = kinds;

export const notificationNames = Object.keys(kinds) as NotificationName[];

const NUMBER_LIMIT = 2 ** 31 - 1;
const minutes = (options: object) => optional(Type.Integer({ maximum: NUMBER_LIMIT, ...options }));

const common = {
  delayMin: minutes({ minimum: 0, description: 'Minutes that the condition lasts before the first one.' }),
  notifierId: optional(Id({ description: 'In a request: whose stored secrets are kept.' })),
};

function schemaOf(name: NotificationName) {
  const { fields, repeatsItself, byIntegration } = notificationKinds[name];
  return Type.Object({
    typeName: Choice([name]),
    ...common,
    ...(repeatsItself
      ? {}
      : { intervalMin: minutes({ description: 'Minutes between two of them, at least 5.' }) }),
    ...(byIntegration
      ? {
          integrationId: optional(
            Id({ description: 'The integration of the project whose credentials hold.' }),
          ),
        }
      : {}),
    ...fields,
  });
}

/** A notification as requests and answers have it; the fields follow from its kind. */
export interface Notification {
  readonly typeName: NotificationName;
  readonly delayMin?: number;
  readonly intervalMin?: number;
  readonly notifierId?: string;
  readonly integrationId?: string;
  readonly [field: string]: unknown;
}

export const Notification = Type.Unsafe<Notification>({
  anyOf: notificationNames.map(schemaOf),
  description: 'Who is told of an alert, and how. Secrets are shown by their last four characters.',
});
