/** The kinds of notification, with their fields in the API. */

type FieldForm = 'flag' | 'roles' | 'secret' | 'text' | readonly string[];

export interface NotificationField {
  readonly name: string;
  readonly label: string;
  readonly form: FieldForm;
}

interface Kind {
  readonly title: string;
  readonly fields: readonly NotificationField[];
  /** Whether a notification of this kind can use the credentials of an integration of the project. */
  readonly byIntegration?: boolean;
  /** Whether the receiving service repeats notifications itself. */
  readonly repeatsItself?: boolean;
}

const field = (name: string, label: string, form: FieldForm = 'text'): NotificationField => ({
  name,
  label,
  form,
});
const people = [field('emailEnabled', 'By mail', 'flag'), field('smsEnabled', 'By text message', 'flag')];
const routed = { byIntegration: true, repeatsItself: true };

export const kinds: Readonly<Record<string, Kind>> = {
  EMAIL: { title: 'Mail to an address', fields: [field('emailAddress', 'E-mail address')] },
  GROUP: { title: 'People of the project', fields: [...people, field('roles', 'Only with roles', 'roles')] },
  ORG: {
    title: 'People of the organization',
    fields: [...people, field('roles', 'Only with roles', 'roles')],
  },
  TEAM: { title: 'A team', fields: [...people, field('teamId', 'Id of the team')] },
  USER: { title: 'A person', fields: [...people, field('username', 'User name')] },
  SMS: { title: 'Text message to a number', fields: [field('mobileNumber', 'Mobile number')] },
  WEBHOOK: {
    title: 'Webhook',
    fields: [field('webhookUrl', 'URL', 'secret'), field('webhookSecret', 'Key of the signature', 'secret')],
    byIntegration: true,
  },
  SLACK: {
    title: 'Slack',
    fields: [field('apiToken', 'API token', 'secret'), field('channelName', 'Channel')],
    byIntegration: true,
  },
  MICROSOFT_TEAMS: {
    title: 'Microsoft Teams',
    fields: [field('microsoftTeamsWebhookUrl', 'Webhook URL', 'secret')],
    byIntegration: true,
  },
  DATADOG: {
    title: 'Datadog',
    fields: [
      field('monitoringApiKey', 'API key', 'secret'),
      field('monitoringRegion', 'Region', ['US', 'EU', 'US3', 'US5', 'AP1', 'US1_FED']),
    ],
    byIntegration: true,
  },
  PAGER_DUTY: {
    title: 'PagerDuty',
    fields: [field('serviceKey', 'API key', 'secret'), field('region', 'Region', ['US', 'EU'])],
    ...routed,
  },
  OPS_GENIE: {
    title: 'Opsgenie',
    fields: [field('opsGenieApiKey', 'API key', 'secret'), field('opsGenieRegion', 'Region', ['US', 'EU'])],
    ...routed,
  },
  VICTOR_OPS: {
    title: 'Splunk On-Call',
    fields: [field('victorOpsApiKey', 'API key', 'secret'), field('victorOpsRoutingKey', 'Routing key')],
    ...routed,
  },
  HIP_CHAT: {
    title: 'HipChat',
    fields: [field('notificationToken', 'API token', 'secret'), field('roomName', 'Room')],
    byIntegration: true,
  },
};

export const titleOf = (typeName: string): string => kinds[typeName]?.title ?? typeName;
