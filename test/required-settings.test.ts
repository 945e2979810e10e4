import { test } from 'node:test';
import { expectFault, expectStatus } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { newProject } from './support/stage.ts';

const KEY = '0123456789abcdef0123456789abcdef';
const ATLAS = '/api/atlas/v2';
const FORMS = [
  ['', {}],
  [ATLAS, { accept: 'application/vnd.atlas.2023-01-01+json' }],
] as const;

/** The required settings of every service that has integrations. */
const services: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  DATADOG: { monitoringApiKey: KEY },
  HIP_CHAT: { notificationToken: 'a-chat-token', roomName: 'bridge' },
  MICROSOFT_TEAMS: { microsoftTeamsWebhookUrl: 'https://teams.example.org/hook' },
  OPS_GENIE: { opsGenieApiKey: 'an-incident-key' },
  PAGER_DUTY: { serviceKey: KEY },
  SLACK: { apiToken: 'xoxb-a-token', channelName: 'bridge' },
  VICTOR_OPS: { victorOpsApiKey: 'an-incident-key' },
  WEBHOOK: { webhookUrl: 'https://watch.example.org/hook' },
};
/** The required settings of every other kind of notification. */
const recipients: typeof services = {
  EMAIL: { emailAddress: 'watch@example.org' },
  SMS: { mobileNumber: '+15550100' },
  TEAM: { teamId: '0123456789abcdef01234567' },
  USER: { username: 'ada@example.org' },
};

/** Bodies that lack one required setting: it is absent, null or empty. */
function lacking(settings: Readonly<Record<string, string>>): [field: string, body: object][] {
  return Object.keys(settings).flatMap((field) =>
    [undefined, null, ''].map((value): [string, object] => [field, { ...settings, [field]: value }]),
  );
}

/** Returns the name of a field in a form of the API. The vendor's form has its own names for the monitoring service. */
const inForm = (form: string, field: string) =>
  form === ATLAS && field === 'monitoringApiKey' ? 'datadogApiKey' : field;

onOneSetup('SQLite, one instance', 'required settings', (setup) => {
  test('of notifications are missing, whether they are absent, null or empty', async () => {
    const path = `${await newProject(setup)}/alertConfigs`;
    for (const [typeName, settings] of Object.entries({ ...services, ...recipients }))
      for (const [field, body] of lacking(settings))
        for (const [form, options] of FORMS) {
          const people = ['TEAM', 'USER'].includes(typeName) ? { emailEnabled: true } : {};
          const notifications = [{ typeName, ...people, ...body }];
          const reply = await setup.owner.post(
            `${form}${path}`,
            { eventTypeName: 'HOST_DOWN', notifications },
            options,
          );
          if (field === 'webhookUrl') expectFault(reply, 400, 'WEBHOOK_URL_NOT_SET');
          else expectFault(reply, 400, 'MISSING_ATTRIBUTE', [`notifications.0.${inForm(form, field)}`]);
        }
  });

  test('of integrations are missing, whether they are absent, null or empty', async () => {
    const path = `${await newProject(setup)}/integrations`;
    for (const [type, settings] of Object.entries(services)) {
      for (const [field, body] of lacking(settings)) {
        const reply = await setup.owner.post(`${path}/${type}`, { type, ...body });
        if (field === 'webhookUrl') expectFault(reply, 400, 'WEBHOOK_URL_NOT_SET', []);
        else expectFault(reply, 400, 'MISSING_ATTRIBUTE', [field]);
      }
      const whole = { type, ...settings };
      expectStatus(await setup.owner.post(`${path}/${type}`, whole), 200);
      // A secret without a value keeps its stored value.
      const [secret = ''] = Object.keys(settings);
      expectStatus(await setup.owner.put(`${path}/${type}`, { ...whole, [secret]: '' }), 200);
    }
    const [form, options] = FORMS[1];
    const hook = `${form}${await newProject(setup)}/integrations/WEBHOOK`;
    for (const url of [undefined, null, ''])
      expectFault(
        await setup.owner.post(hook, { type: 'WEBHOOK', url }, options),
        400,
        'WEBHOOK_URL_NOT_SET',
      );
  });
});
