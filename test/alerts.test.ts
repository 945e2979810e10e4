import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { allowAccess, driverFor } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { type HttpReceiver, httpReceiver, type MailReceiver, mailReceiver } from './support/receivers.ts';
import { scopeOf } from './support/service.ts';
import { openSetup, type Setup } from './support/setups.ts';
import { idIn, type ListDocument, newCluster, newProject } from './support/stage.ts';

const KEY = '0123456789abcdef0123456789abcdef';

interface AlertDocument {
  readonly acknowledgedUntil?: string;
  readonly acknowledgementComment?: string;
  readonly acknowledgingUsername?: string;
  readonly alertConfigId: string;
  readonly clusterName: string;
  readonly currentValue?: { readonly number: number; readonly units: string };
  readonly hostnameAndPort: string;
  readonly id: string;
  readonly lastNotified?: string;
  readonly metricName: string;
  readonly resolved?: string;
  readonly status: string;
}

interface InboxEntry {
  readonly body: string;
  readonly outcome: string;
  readonly problem?: string;
  readonly reason: string;
  readonly subject: string;
  readonly to: readonly string[];
  readonly typeName: string;
}

describe('alerts and their notifications (SQLite, one instance)', () => {
  const setup = {} as Setup;
  let http = {} as HttpReceiver;
  let mail = {} as MailReceiver;
  const scope = scopeOf({ after });
  before(async () => {
    http = await httpReceiver(scope);
    mail = await mailReceiver(scope);
    const products = ['DATADOG', 'HIP_CHAT', 'OPS_GENIE', 'PAGER_DUTY', 'SLACK', 'VICTOR_OPS'];
    const settings = {
      'allow-private-targets': true,
      'smtp-url': mail.url,
      'sms-url': `${http.url}/sms`,
      'notification-urls': products.map((name) => `${name}=${http.url}/${name}`).join(','),
    };
    Object.assign(setup, await openSetup(scope, 'SQLite, one instance', { settings }));
  });

  async function configure(project: string, ...notifications: object[]): Promise<string> {
    const body = { eventTypeName: 'NETWORK_PERMISSION_ENTRY_ADDED', enabled: true, notifications };
    return expectStatus<{ id: string }>(await setup.owner.post(`${project}/alertConfigs`, body), 201).id;
  }

  async function cause(project: string): Promise<void> {
    expectStatus(await setup.owner.post(`${project}/accessList`, [{ ipAddress: '192.0.2.7' }]), 201);
  }

  const inbox = async (project: string) => {
    const path = `/operator/v1/notifications?groupId=${project.split('/').at(-1)}`;
    return expectStatus<ListDocument<InboxEntry>>(await setup.operator.get(path), 200).results;
  };

  const notificationsOf = (project: string, count: number) =>
    until(
      'notifications',
      () => inbox(project),
      (entries) => entries.length >= count,
    );

  test('each third-party service gets requests in its own format', async () => {
    const project = await newProject(setup, { withDefaultAlertsSettings: false });
    const severityless = [
      { typeName: 'WEBHOOK', webhookUrl: `${http.url}/hook`, webhookSecret: 'a-signing-secret' },
      { typeName: 'DATADOG', monitoringApiKey: KEY },
      { typeName: 'HIP_CHAT', notificationToken: 'hip-token-1234', roomName: 'the bridge' },
      { typeName: 'MICROSOFT_TEAMS', microsoftTeamsWebhookUrl: `${http.url}/teams-5678` },
      { typeName: 'OPS_GENIE', opsGenieApiKey: 'genie-key-1234' },
      { typeName: 'PAGER_DUTY', serviceKey: KEY },
      { typeName: 'SLACK', apiToken: 'slack-token-1234', channelName: 'bridge' },
      { typeName: 'VICTOR_OPS', victorOpsApiKey: 'victor-key-1234', victorOpsRoutingKey: 'crew' },
      { typeName: 'SMS', mobileNumber: '+4612345678' },
      { typeName: 'EMAIL', emailAddress: 'watch@example.org' },
    ];
    const alertConfigId = await configure(project, ...severityless);
    await cause(project);
    const entries = await notificationsOf(project, severityless.length);
    assert.deepEqual(
      entries.map(({ typeName, outcome, reason, problem }) => [typeName, outcome, reason, problem]).sort(),
      severityless.map(({ typeName }) => [typeName, 'SENT', 'inform', undefined]).sort(),
    );
    const by = (path: string) => {
      const found = http.received.find((one) => one.path === path);
      assert.ok(found, `${path} among ${http.received.map((one) => one.path)}`);
      return found;
    };
    const title = 'INFO: Address was added to the access list';
    const hook = by('/hook');
    assert.equal(hook.headers['x-mms-event'], 'alert.inform');
    const signature = createHmac('sha1', 'a-signing-secret')
      .update(JSON.stringify(hook.body))
      .digest('base64');
    assert.equal(hook.headers['x-mms-signature'], signature);
    assert.equal(hook.body.alertConfigId, alertConfigId);
    assert.equal(hook.body.eventTypeName, 'NETWORK_PERMISSION_ENTRY_ADDED');
    const [link] = hook.body.links as { href: string; rel: string }[];
    assert.match(link?.rel ?? '', /\/alertConfig$/);
    assert.ok(link?.href.endsWith(`${project}/alertConfigs/${alertConfigId}`), link?.href);
    assert.match(String(hook.body.humanReadable), new RegExp(`^${title}.*\nProject: `));
    assert.match(String(hook.body.created), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, 'as answers have dates');
    const datadog = by('/DATADOG/api/v1/events');
    assert.deepEqual([datadog.headers['dd-api-key'], datadog.body.alert_type], [KEY, 'info']);
    assert.match(String(datadog.body.title), new RegExp(`^${title}`));
    const hip = by('/HIP_CHAT/v2/room/the%20bridge/notification');
    assert.deepEqual([hip.headers.authorization, hip.body.color], ['Bearer hip-token-1234', 'gray']);
    assert.match(JSON.stringify(by('/teams-5678').body), /AdaptiveCard/);
    const genie = by('/OPS_GENIE/v2/alerts');
    assert.deepEqual([genie.headers.authorization, genie.body.priority], ['GenieKey genie-key-1234', 'P5']);
    const duty = by('/PAGER_DUTY/v2/enqueue').body;
    assert.deepEqual([duty.routing_key, duty.event_action], [KEY, 'trigger']);
    assert.equal((duty.payload as { severity: string }).severity, 'info');
    const page = `/console/#/projects${project.slice('/groups'.length)}/alerts/configurations/${alertConfigId}`;
    const [opened] = duty.links as { href: string }[];
    assert.ok(opened?.href.endsWith(page), opened?.href);
    const slack = by('/SLACK/api/chat.postMessage');
    assert.deepEqual(
      [slack.headers.authorization, slack.body.channel],
      ['Bearer slack-token-1234', 'bridge'],
    );
    const victor = by('/VICTOR_OPS/integrations/generic/20131114/alert/victor-key-1234/crew').body;
    assert.equal(victor.message_type, 'INFO');
    const sms = by('/sms').body;
    assert.deepEqual([sms.to, String(sms.text).length <= 160], ['+4612345678', true]);
    const path = `${project}/alerts/${hook.body.id}`;
    expectFault(await setup.owner.get(path), 404, 'ALERT_NOT_FOUND', [hook.body.id, idIn(project)]);
    const ofEvent = expectStatus<ListDocument<InboxEntry>>(
      await setup.owner.get(`${path}/notifications`),
      200,
    );
    assert.deepEqual(
      ofEvent.results.map(({ typeName, outcome, reason }) => [typeName, outcome, reason]).sort(),
      severityless.map(({ typeName }) => [typeName, 'SENT', 'inform']).sort(),
    );
    const elsewhere = await newProject(setup, { withDefaultAlertsSettings: false });
    const foreign = `${elsewhere}/alerts/${hook.body.id}/notifications`;
    expectFault(await setup.owner.get(foreign), 404, 'ALERT_NOT_FOUND', [hook.body.id, idIn(elsewhere)]);
    const letter = mail.received.find(({ to }) => to.includes('watch@example.org'));
    assert.match(letter?.text ?? '', /^To: watch@example\.org\r$/m);
    assert.match(letter?.text ?? '', new RegExp(`^Subject: ${title}`, 'm'));
    const kept = JSON.stringify(entries);
    for (const secret of [
      KEY,
      'hip-token-1234',
      'genie-key-1234',
      'slack-token',
      'victor-key-1234',
      'a-signing',
    ])
      assert.ok(!kept.includes(secret), secret);
  });

  test("the notifications of a one-time event are found by the event's id while they are sent", async () => {
    const own = await httpReceiver(scope);
    const project = await newProject(setup, { withDefaultAlertsSettings: false });
    const found: unknown[] = [];
    own.first(async ({ id }) => {
      const reply = await setup.owner.get(`${project}/alerts/${id}/notifications`);
      found.push([reply.status, reply.json<ListDocument>().results]);
    });
    await configure(project, { typeName: 'WEBHOOK', webhookUrl: `${own.url}/hook` });
    await cause(project);
    await notificationsOf(project, 1);
    assert.deepEqual(found, [[200, []]]);
  });

  test('notifications without credentials use those of an integration', async () => {
    const project = await newProject(setup, { withDefaultAlertsSettings: false });
    const slack = { type: 'SLACK', apiToken: 'lent-token-9999', channelName: 'lent' };
    const reply = await setup.owner.post(`${project}/integrations/SLACK`, slack);
    const { results } = expectStatus<ListDocument<{ id: string }>>(reply, 200);
    await configure(project, { typeName: 'SLACK', channelName: 'deck', integrationId: results[0]?.id });
    await cause(project);
    await notificationsOf(project, 1);
    const sent = http.received.find(({ body }) => body.channel === 'deck');
    assert.equal(sent?.headers.authorization, 'Bearer lent-token-9999');
  });

  test('a webhook without a secret is signed with that of the integration', async () => {
    const project = await newProject(setup, { withDefaultAlertsSettings: false });
    const lent = { type: 'WEBHOOK', webhookUrl: `${http.url}/lent`, webhookSecret: 'a-lent-secret' };
    expectStatus(await setup.owner.post(`${project}/integrations/WEBHOOK`, lent), 200);
    await configure(project, { typeName: 'WEBHOOK', webhookUrl: `${http.url}/own` });
    await cause(project);
    await notificationsOf(project, 1);
    const sent = http.received.find(({ path }) => path === '/own');
    const signature = createHmac('sha1', 'a-lent-secret').update(JSON.stringify(sent?.body)).digest('base64');
    assert.equal(sent?.headers['x-mms-signature'], signature);
  });

  test('users are notified in the projects of which they are members', async () => {
    const project = await newProject(setup, { withDefaultAlertsSettings: false });
    const username = `sailor-${project.slice(-6)}@example.org`;
    const person = {
      username,
      password: 'a compass and a chart',
      firstName: 'Ada',
      lastName: 'Sail',
      country: 'SE',
    };
    const roles = [{ groupId: project.split('/').at(-1), roleName: 'GROUP_READ_ONLY' }];
    expectStatus(await setup.owner.post('/users', { ...person, mobileNumber: '4670000001', roles }), 200);
    const group = { typeName: 'GROUP', emailEnabled: true, roles: ['GROUP_READ_ONLY'] };
    const user = { typeName: 'USER', smsEnabled: true, username };
    await configure(project, group, user, { ...group, typeName: 'ORG', roles: ['ORG_BILLING_ADMIN'] });
    await cause(project);
    const entries = await notificationsOf(project, 3);
    const toOf = (name: string) => entries.find(({ typeName }) => typeName === name)?.to;
    assert.deepEqual([toOf('GROUP'), toOf('USER'), toOf('ORG')], [[username], ['4670000001'], []]);
    assert.ok(mail.received.some(({ to }) => to.includes(username)));
    assert.ok(http.received.some(({ path, body }) => path === '/sms' && body.to === '4670000001'));
  });

  test('former members are not notified', async () => {
    const project = await newProject(setup, { withDefaultAlertsSettings: false });
    const groupId = idIn(project);
    const [username, numbered] = [`left-${groupId}@example.org`, '4670000002'];
    const person = { password: 'a compass and a chart', firstName: 'Ada', lastName: 'Sail', country: 'SE' };
    const roles = [{ groupId, roleName: 'GROUP_READ_ONLY' }];
    const body = { username, ...person, mobileNumber: numbered, roles };
    const { id } = expectStatus<{ id: string }>(await setup.owner.post('/users', body), 200);
    await configure(project, { typeName: 'USER', smsEnabled: true, username });
    expectStatus(await setup.owner.delete(`${project}/users/${id}`), 204);
    await cause(project);
    const [entry] = await notificationsOf(project, 1);
    assert.deepEqual([entry?.outcome, entry?.to], ['KEPT', []]);
    assert.ok(!http.received.some(({ body: { to } }) => to === numbered));
  });

  test('an owner can send a test notification', async () => {
    const project = await newProject(setup, { withDefaultAlertsSettings: false });
    const id = await configure(project, { typeName: 'EMAIL', emailAddress: 'try@example.org' });
    expectStatus(await setup.owner.post(`${project}/alertConfigs/${id}/test`, undefined), 202);
    await until(
      'a letter',
      async () => mail.received.filter(({ to }) => to.includes('try@example.org')).length,
      (count) => count > 0,
    );
    expectFault(await setup.owner.get(`${project}/alerts?status=SUNK`), 400, 'INVALID_ALERT_STATUS', [
      'SUNK',
    ]);
    assert.deepEqual(expectStatus(await setup.owner.get(`${project}/alerts`), 200).results, []);
    expectFault(await setup.owner.get(`${project}/alerts/${id}`), 404, 'ALERT_NOT_FOUND', [
      id,
      project.split('/').at(-1),
    ]);
  });

  test('an alert about a metric of the engine opens, is acknowledged, and closes', async () => {
    const project = await newProject(setup, { withDefaultAlertsSettings: false });
    const metricThreshold = { metricName: 'CONNECTIONS', operator: 'LESS_THAN', threshold: 12 };
    const notifications = [{ typeName: 'WEBHOOK', webhookUrl: `${http.url}/few` }];
    const body = { eventTypeName: 'OUTSIDE_METRIC_THRESHOLD', enabled: true, metricThreshold, notifications };
    const { id } = expectStatus<{ id: string }>(await setup.owner.post(`${project}/alertConfigs`, body), 201);
    const cluster = await newCluster(setup, project, 'watched');
    const listed = async (status: string) =>
      expectStatus<ListDocument<AlertDocument>>(
        await setup.owner.get(`${project}/alerts?status=${status}`),
        200,
      );
    const { results, totalCount } = await until(
      'three open alerts',
      () => listed('OPEN'),
      (page) => page.totalCount === 3,
    );
    const [alert] = results;
    assert.ok(alert);
    assert.deepEqual([totalCount, alert.alertConfigId, alert.clusterName], [3, id, 'watched']);
    assert.deepEqual([alert.metricName, alert.currentValue?.units], ['CONNECTIONS', 'RAW']);
    assert.ok((alert.currentValue?.number ?? 99) < 12);
    assert.match(alert.hostnameAndPort, /^127\.0\.0\.1:\d+$/);
    const projects = expectStatus<ListDocument<{ clusters: { alertCount: number }[] }>>(
      await setup.owner.get('/clusters'),
      200,
    );
    assert.ok(projects.results.some(({ clusters }) => clusters.some(({ alertCount }) => alertCount === 3)));
    const few = () => http.received.filter(({ path, body: sent }) => path === '/few' && sent.id === alert.id);
    // On a busy machine, the service can send a notification again, since this process responds too late.
    const reasons = () => [...new Set(few().map(({ headers }) => headers['x-mms-event']))];
    await until(
      'the opening',
      async () => reasons(),
      (all) => all.length === 1,
    );

    const path = `${project}/alerts/${alert.id}`;
    const { links, ...shown } = expectStatus<Record<string, unknown>>(await setup.owner.get(path), 200);
    assert.deepEqual(
      (links as { rel: string }[]).map(({ rel }) => rel.split('/').at(-1)),
      ['self', 'alertConfig', 'alertConfigs', 'notifications'],
    );
    const { links: __, humanReadable: ___, ...hooked } = few()[0]?.body ?? {};
    // Omit the fields of an alert that change with every evaluation and notification.
    const lasting = ({ currentValue, lastNotified, updated, ...alert }: Record<string, unknown>) => alert;
    assert.deepEqual(lasting(hooked), lasting(shown));
    const acknowledgement = { acknowledgedUntil: '2100-01-01T00:00:00Z', acknowledgementComment: 'on it' };
    const acknowledged = expectStatus<AlertDocument>(await setup.owner.patch(path, acknowledgement), 200);
    assert.deepEqual(
      [
        acknowledged.acknowledgedUntil,
        acknowledged.acknowledgementComment,
        acknowledged.acknowledgingUsername,
      ],
      ['2100-01-01T00:00:00Z', 'on it', setup.bootstrap.publicKey],
    );
    const open = expectStatus<ListDocument<AlertDocument>>(
      await setup.owner.get(`${project}/alertConfigs/${id}/alerts`),
      200,
    );
    assert.deepEqual([open.results.length, open.totalCount], [3, 3]);
    const configurations = expectStatus<ListDocument<{ id: string }>>(
      await setup.owner.get(`${path}/alertConfigs`),
      200,
    );
    assert.deepEqual(
      configurations.results.map((one) => one.id),
      [id],
    );
    const withdrawn = expectStatus(await setup.owner.patch(path, { unacknowledgeAlert: true }), 200);
    assert.equal('acknowledgedUntil' in withdrawn, false);
    const long = { acknowledgedUntil: '2100-01-01T00:00:00Z', acknowledgementComment: 'x'.repeat(201) };
    assert.equal((await setup.owner.patch(path, long)).status, 400);

    await allowAccess(setup, project, cluster);
    await using driver = await driverFor(setup, cluster, { minPoolSize: 15 });
    await driver.db('harbour').command({ ping: 1 });
    const closed = await until(
      'the closing',
      async () => expectStatus<AlertDocument>(await setup.owner.get(path), 200),
      ({ status }) => status === 'CLOSED',
    );
    assert.ok(closed.resolved && closed.lastNotified);
    const last = closed.currentValue?.number ?? 0;
    assert.ok(last >= 12, `${last} connections have ended it`);
    await until(
      'the last word',
      async () => reasons(),
      (all) => all.at(-1) === 'alert.close',
    );
    assert.deepEqual(reasons(), ['alert.open', 'alert.acknowledge', 'alert.close']);
    await until(
      'three notifications in the log',
      async () =>
        expectStatus<ListDocument<InboxEntry>>(
          await setup.owner.get(`${path}/notifications`),
          200,
        ).results.map(({ reason, outcome }) => `${reason} ${outcome}`),
      (all) => all.join() === 'close SENT,acknowledge SENT,open SENT',
    );
  });
});
