import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { newProject } from './support/stage.ts';
import { eventTypes } from './support/users.ts';

type Configuration = Record<string, unknown> & {
  id: string;
  notifications: Record<string, unknown>[];
};

const EMAIL = { typeName: 'EMAIL', emailAddress: 'watch@example.org' };
const KEY = '0123456789abcdef0123456789abcdef';

onOneSetup('PostgreSQL, two instances', 'alert configurations', (setup) => {
  const configurations = async () => {
    const project = await newProject(setup);
    const path = `${project}/alertConfigs`;
    const add = async (body: object) => expectStatus<Configuration>(await setup.owner.post(path, body), 201);
    const refuse = async (body: object, status: number, code: string, ...parameters: unknown[]) =>
      expectFault(await setup.owner.post(path, body), status, code, parameters);
    return { project, groupId: project.split('/').at(-1), path, add, refuse };
  };

  test('a configuration is created, replaced, switched and deleted', async () => {
    const { project, groupId, path, add } = await configurations();
    const { created, updated, id, links, notifications, ...made } = await add({
      eventTypeName: 'NO_PRIMARY',
      matchers: [{ fieldName: 'CLUSTER_NAME', operator: 'EQUALS', value: 'harbour' }],
      notifications: [EMAIL],
      severityOverride: 'CRITICAL',
      enabled: true,
    });
    assert.deepEqual(made, {
      enabled: true,
      eventTypeName: 'NO_PRIMARY',
      groupId,
      matchers: [{ fieldName: 'CLUSTER_NAME', operator: 'EQUALS', value: 'harbour' }],
      severityOverride: 'CRITICAL',
    });
    assert.equal(created, updated);
    assert.ok((links as { href: string }[])[0]?.href.endsWith(`${path}/${id}`));
    const [{ notifierId, ...notification } = {}] = notifications;
    assert.match(String(notifierId), /^[a-f0-9]{24}$/);
    assert.deepEqual(notification, { ...EMAIL, delayMin: 0, intervalMin: 60 });

    const body = { eventTypeName: 'HOST_DOWN', notifications: [{ ...EMAIL, delayMin: 3, intervalMin: 7 }] };
    const replaced = expectStatus<Configuration>(await setup.owner.put(`${path}/${id}`, body), 200);
    assert.deepEqual([replaced.enabled, replaced.matchers, replaced.eventTypeName], [false, [], 'HOST_DOWN']);
    assert.equal('severityOverride' in replaced, false);
    assert.deepEqual([replaced.id, replaced.created], [id, created]);
    const [after] = replaced.notifications;
    assert.deepEqual([after?.delayMin, after?.intervalMin], [3, 7]);
    assert.notEqual(after?.notifierId, notifierId, 'a notification without its notifier is a new one');

    const switched = expectStatus(await setup.owner.patch(`${path}/${id}`, { enabled: true }), 200);
    assert.equal(switched.enabled, true);
    expectFault(await setup.owner.patch(`${path}/${id}`, {}), 400, 'MISSING_ATTRIBUTE', ['enabled']);
    const { links: _, ...shown } = expectStatus(await setup.owner.get(`${path}/${id}`), 200);
    const { links: __, ...last } = switched;
    assert.deepEqual(shown, last);
    expectStatus(await setup.owner.put(`${path}/${id}`, shown), 200);
    expectStatus(await setup.owner.put(`${path}/${id}`, { ...shown, enabled: false }), 200);
    expectStatus(await setup.owner.put(`${path}/${id}`, shown), 200);
    for (const untrue of [{ updated: '2999-01-01T00:00:00Z' }, { created: '2020-01-01T00:00:00Z' }])
      expectFault(
        await setup.owner.put(`${path}/${id}`, { ...shown, ...untrue }),
        400,
        'ATTRIBUTE_READ_ONLY',
        Object.keys(untrue),
      );

    expectStatus(await setup.owner.delete(`${path}/${id}`), 204);
    expectFault(await setup.owner.get(`${path}/${id}`), 404, 'ALERT_CONFIG_NOT_FOUND', [id, groupId]);
    assert.deepEqual(
      (await eventTypes(setup.owner, project)).filter((name) => name.startsWith('ALERT_CONFIG')),
      ['ADDED', 'CHANGED', 'ENABLED', 'CHANGED', 'CHANGED', 'CHANGED', 'DELETED'].map(
        (what) => `ALERT_CONFIG_${what}_AUDIT`,
      ),
    );
  });

  test('a new project has eleven configurations, unless it or its organization disables them', async () => {
    const { path } = await configurations();
    const { results, totalCount } = expectStatus<{ results: Configuration[]; totalCount: number }>(
      await setup.owner.get(path),
      200,
    );
    assert.equal(totalCount, 11);
    assert.deepEqual(
      results.map(({ eventTypeName, metricThreshold }) =>
        metricThreshold === undefined
          ? eventTypeName
          : (metricThreshold as { metricName: string }).metricName,
      ),
      [
        'REPLICATION_OPLOG_WINDOW_RUNNING_OUT',
        'NO_PRIMARY',
        'CLUSTER_MONGOS_IS_MISSING',
        'CONNECTIONS_PERCENT',
        'DISK_PARTITION_SPACE_USED_DATA',
        'NORMALIZED_SYSTEM_CPU_USER',
        'NORMALIZED_SYSTEM_CPU_STEAL',
        'QUERY_TARGETING_SCANNED_OBJECTS_PER_RETURNED',
        'CREDIT_CARD_ABOUT_TO_EXPIRE',
        'HOST_HAS_INDEX_SUGGESTIONS',
        'JOINED_GROUP',
      ],
    );
    const [oplog, noPrimary] = results;
    assert.deepEqual(oplog?.threshold, { operator: 'LESS_THAN', threshold: 1, units: 'HOURS' });
    const [{ notifierId: _, ...notification } = {}] = noPrimary?.notifications ?? [];
    assert.deepEqual(notification, {
      ...{ typeName: 'GROUP', emailEnabled: true, smsEnabled: false, roles: ['GROUP_OWNER'] },
      ...{ delayMin: 15, intervalMin: 60 },
    });
    const without = await newProject(setup, { withDefaultAlertsSettings: false });
    assert.equal(expectStatus(await setup.owner.get(`${without}/alertConfigs`), 200).totalCount, 0);
  });

  test('rejects thresholds that do not fit the event', async () => {
    const { add, refuse } = await configurations();
    const metric = (fields: object) => ({
      eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
      notifications: [EMAIL],
      metricThreshold: {
        metricName: 'OPLOG_SLAVE_LAG_MASTER_TIME',
        operator: 'GREATER_THAN',
        threshold: 2.5,
        ...fields,
      },
    });
    assert.deepEqual((await add(metric({}))).metricThreshold, {
      ...{ metricName: 'OPLOG_SLAVE_LAG_MASTER_TIME', mode: 'AVERAGE', operator: 'GREATER_THAN' },
      ...{ threshold: 2.5, units: 'HOURS' },
    });
    await refuse(metric({ units: 'GIGABYTES' }), 400, 'UNITS_MISMATCH', 'GIGABYTES');
    await refuse(metric({ mode: 'TOTAL' }), 400, 'TOTAL_MODE_DEPRECATED');
    await refuse(metric({ metricName: 'WIND' }), 404, 'INVALID_METRIC_NAME', 'WIND');
    await refuse(
      { ...metric({}), metricThreshold: null },
      400,
      'MISSING_METRIC_THRESHOLD',
      'OUTSIDE_METRIC_THRESHOLD',
    );
    await refuse({ ...metric({}), eventTypeName: 'HOST_DOWN' }, 400, 'METRIC_THRESHOLD_PRESENT', 'HOST_DOWN');
    const threshold = { operator: 'GREATER_THAN', threshold: 3 };
    const plain = (eventTypeName: string, more: object = {}) => ({
      eventTypeName,
      notifications: [EMAIL],
      threshold: { ...threshold, ...more },
    });
    assert.deepEqual((await add(plain('CPS_SNAPSHOT_BEHIND'))).threshold, { ...threshold, units: 'HOURS' });
    await refuse(
      plain('CPS_SNAPSHOT_BEHIND', { operator: 'LESS_THAN' }),
      400,
      'INVALID_OPERATOR_FOR_EVENT_TYPE',
      'LESS_THAN',
      'CPS_SNAPSHOT_BEHIND',
    );
    await refuse(
      plain('CPS_SNAPSHOT_BEHIND', { threshold: 1.5 }),
      400,
      'INVALID_JSON_ATTRIBUTE',
      'threshold.threshold',
    );
    await refuse(plain('JOINED_GROUP'), 400, 'THRESHOLD_PRESENT', 'JOINED_GROUP');
    await refuse(
      { ...plain('TOO_MANY_ELECTIONS'), threshold: null },
      400,
      'MISSING_THRESHOLD',
      'TOO_MANY_ELECTIONS',
    );
  });

  test('event types are listed with the fields of their configurations', async () => {
    interface EventType {
      readonly eventTypeName: string;
      readonly description: string;
      readonly matcherFields: readonly string[];
      readonly metrics?: readonly { readonly metricName: string; readonly units: readonly string[] }[];
      readonly threshold?: { readonly field: string; readonly operators: readonly string[] };
    }
    const types = expectStatus<EventType[]>(await setup.owner.get('/alertConfigs/eventTypes'), 200);
    const named = (name: string) => types.find(({ eventTypeName }) => eventTypeName === name);
    assert.equal(types.filter(({ description, eventTypeName }) => description === eventTypeName).length, 0);
    const metric = named('OUTSIDE_METRIC_THRESHOLD');
    assert.equal(metric?.threshold?.field, 'metricThreshold');
    assert.ok(
      metric?.metrics?.some(({ metricName, units }) => metricName === 'CONNECTIONS' && units[0] === 'RAW'),
    );
    assert.deepEqual(named('CPS_SNAPSHOT_BEHIND')?.threshold?.operators, ['GREATER_THAN']);
    assert.deepEqual([named('HOST_DOWN')?.threshold, named('JOINED_GROUP')?.matcherFields], [undefined, []]);
  });

  test('rejects invalid events and matchers', async () => {
    const { add, refuse } = await configurations();
    const body = (eventTypeName: string, ...matchers: object[]) => ({
      ...{ eventTypeName, matchers, notifications: [EMAIL] },
    });
    await refuse(body('GROUP_CREATED'), 400, 'INVALID_EVENT_TYPE_FOR_ALERT', 'GROUP_CREATED');
    await refuse(body('WEATHER'), 400, 'INVALID_ENUM_VALUE', 'WEATHER');
    const matcher = { fieldName: 'HOSTNAME', operator: 'REGEX', value: '(' };
    const problem =
      'matchers.0.value is not a regular expression: error parsing regexp: missing closing ): `(`';
    await refuse(body('HOST_DOWN', matcher), 400, 'VALIDATION_ERROR', problem);
    await refuse(
      body('HOST_DOWN', { ...matcher, fieldName: 'APPLICATION_ID' }),
      400,
      'INVALID_ENUM_VALUE',
      'APPLICATION_ID',
    );
    const type = { fieldName: 'TYPE_NAME', operator: 'EQUALS', value: 'KING' };
    await refuse(body('HOST_DOWN', type), 400, 'INVALID_ENUM_VALUE', 'KING');
    const node = { ...type, fieldName: 'PLATFORM_NODE_TYPE' };
    await refuse(body('HOST_DOWN', node), 400, 'INVALID_ENUM_VALUE', 'KING');
    const named = { ...matcher, fieldName: 'CLUSTER_NAME', value: '^h' };
    await add(body('HOST_DOWN', { ...node, value: 'ANALYTICS' }, named));
    const names = expectStatus<string[]>(await setup.owner.get('/alertConfigs/matchers/fieldNames'), 200);
    assert.ok(names.includes('CLUSTER_NAME') && names.length === 9);
  });

  test('secrets are masked, and preserved by the id of their notifier', async () => {
    const { path, add } = await configurations();
    const webhook = {
      typeName: 'WEBHOOK',
      webhookUrl: 'https://watch.example.org/hooks/a-secret-path',
      webhookSecret: 'a-long-signing-secret',
    };
    const datadog = { typeName: 'DATADOG', monitoringApiKey: KEY };
    const made = await add({ eventTypeName: 'HOST_DOWN', notifications: [webhook, datadog] });
    const masked = ({ webhookUrl, webhookSecret, monitoringApiKey }: Record<string, unknown>) => ({
      ...{ webhookUrl, webhookSecret, monitoringApiKey },
    });
    const [shown = {}, key = {}] = made.notifications;
    assert.deepEqual(masked(shown), {
      webhookUrl: 'https://watch.example.org/****path',
      webhookSecret: '********cret',
      monitoringApiKey: undefined,
    });
    assert.deepEqual([key.monitoringApiKey, key.monitoringRegion], ['********cdef', 'US']);
    const read = expectStatus<Configuration>(await setup.owner.get(`${path}/${made.id}`), 200);
    assert.deepEqual(read.notifications, made.notifications);

    const kept = expectStatus<Configuration>(await setup.owner.put(`${path}/${made.id}`, read), 200);
    assert.deepEqual(kept.notifications, made.notifications, 'what was shown may be sent back');
    const bare = { typeName: 'WEBHOOK', notifierId: shown.notifierId };
    const again = { eventTypeName: 'HOST_DOWN', notifications: [bare] };
    const without = expectStatus<Configuration>(await setup.owner.put(`${path}/${made.id}`, again), 200);
    assert.deepEqual(masked(without.notifications[0] ?? {}), masked(shown));
    const moved = { ...bare, webhookUrl: 'https://tower.example.org/****path' };
    expectFault(
      await setup.owner.put(`${path}/${made.id}`, { eventTypeName: 'HOST_DOWN', notifications: [moved] }),
      400,
      'INVALID_URL',
      ['https://tower.example.org/****path'],
    );
    const lost = { eventTypeName: 'HOST_DOWN', notifications: [{ ...shown, notifierId: undefined }] };
    expectFault(await setup.owner.post(path, lost), 400, 'INVALID_URL', [
      'https://watch.example.org/****path',
    ]);
    const absent = { eventTypeName: 'HOST_DOWN', notifications: [{ typeName: 'WEBHOOK' }] };
    expectFault(await setup.owner.post(path, absent), 400, 'WEBHOOK_URL_NOT_SET');
    const keyless = { eventTypeName: 'HOST_DOWN', notifications: [{ typeName: 'DATADOG' }] };
    expectFault(await setup.owner.post(path, keyless), 400, 'MISSING_ATTRIBUTE', [
      'notifications.0.monitoringApiKey',
    ]);
  });

  test('two notifications with one notifier keep their own targets', async () => {
    const { path, add } = await configurations();
    const webhook = { typeName: 'WEBHOOK', webhookUrl: 'https://watch.example.org/hooks/first' };
    const made = await add(notify(webhook));
    const { notifierId } = made.notifications[0] ?? {};
    const copy = { ...webhook, notifierId, webhookUrl: 'https://watch.example.org/hooks/second' };
    const put = await setup.owner.put(
      `${path}/${made.id}`,
      notify({ typeName: 'WEBHOOK', notifierId }, copy),
    );
    const [first, second] = expectStatus<Configuration>(put, 200).notifications;
    assert.equal(first?.notifierId, notifierId);
    assert.match(String(second?.notifierId), /^[a-f0-9]{24}$/);
    assert.notEqual(second?.notifierId, notifierId);
    assert.deepEqual(
      [first?.webhookUrl, second?.webhookUrl],
      ['https://watch.example.org/****irst', 'https://watch.example.org/****cond'],
    );
  });

  test('rejects a pattern that would use too much memory', async () => {
    const { path } = await configurations();
    const value = `(?:${'a?'.repeat(480)}){1000}`;
    const body = {
      eventTypeName: 'HOST_DOWN',
      matchers: [{ fieldName: 'HOSTNAME', operator: 'REGEX', value }],
      notifications: [{ typeName: 'EMAIL', emailAddress: 'a@example.org' }],
    };
    expectFault(await setup.owner.post(path, body), 400, 'VALIDATION_ERROR', [
      'matchers.0.value is too large after expanding its repetitions',
    ]);
  });

  test('rejects thresholds that cannot be stored', async () => {
    const { path } = await configurations();
    const threshold = { metricName: 'CONNECTIONS', operator: 'GREATER_THAN', threshold: 777 };
    const body = {
      eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
      metricThreshold: threshold,
      notifications: [{ typeName: 'EMAIL', emailAddress: 'a@example.org' }],
    };
    const endless = JSON.stringify(body).replace('777', '1e400');
    expectFault(await setup.owner.post(path, endless), 400, 'INVALID_JSON_ATTRIBUTE', [
      'metricThreshold.threshold',
    ]);
  });

  const notify = (...notifications: object[]) => ({ eventTypeName: 'JOINED_GROUP', notifications });

  test('accepts every kind of notification with its fields', async () => {
    const { add } = await configurations();
    const interval = { delayMin: 1, intervalMin: 5 };
    const given = [
      { typeName: 'EMAIL', emailAddress: 'a@example.org', ...interval },
      { typeName: 'GROUP', emailEnabled: true, smsEnabled: false, roles: ['GROUP_READ_ONLY'], ...interval },
      { typeName: 'ORG', emailEnabled: false, smsEnabled: true, roles: ['ORG_OWNER'], ...interval },
      { typeName: 'SMS', mobileNumber: '+4612345678', ...interval },
      { typeName: 'HIP_CHAT', notificationToken: 'token-1234', roomName: 'bridge', ...interval },
      { typeName: 'SLACK', apiToken: 'xoxb-token-1234', channelName: 'bridge', ...interval },
      {
        typeName: 'MICROSOFT_TEAMS',
        microsoftTeamsWebhookUrl: 'https://teams.example.org/x/1234',
        ...interval,
      },
      { typeName: 'OPS_GENIE', opsGenieApiKey: 'key-of-ops-1234', opsGenieRegion: 'EU', delayMin: 1 },
      { typeName: 'PAGER_DUTY', serviceKey: KEY, region: 'EU', delayMin: 1 },
      {
        typeName: 'VICTOR_OPS',
        victorOpsApiKey: 'key-of-victor-1234',
        victorOpsRoutingKey: 'crew',
        delayMin: 1,
      },
    ];
    const { notifications } = await add(notify(...given));
    const secret = /token|key$|serviceKey|ApiKey|WebhookUrl/i;
    for (const [place, { notifierId, ...shown }] of notifications.entries()) {
      for (const [name, value] of Object.entries(given[place] ?? {})) {
        if (secret.test(name) && name !== 'victorOpsRoutingKey')
          assert.match(String(shown[name]), /\*{4}\w{4}$/);
        else assert.deepEqual(shown[name], value, name);
      }
      assert.match(String(notifierId), /^[a-f0-9]{24}$/);
    }
    assert.equal(notifications.length, given.length);
  });

  test('rejects notifications without a recipient', async () => {
    const { groupId, refuse } = await configurations();
    const group = { typeName: 'GROUP', emailEnabled: true };
    await refuse(notify(), 400, 'MISSING_NOTIFICATIONS');
    await refuse(notify({ ...EMAIL, intervalMin: 4 }), 400, 'NOTIFICATION_INTERVAL_OUT_OF_RANGE', 4);
    await refuse(notify({ ...EMAIL, delayMin: -1 }), 400, 'ATTRIBUTE_NEGATIVE', 'notifications.0.delayMin');
    await refuse(notify(group, group), 400, 'TOO_MANY_GROUP_NOTIFICATIONS');
    await refuse(notify({ typeName: 'GROUP' }), 400, 'EMAIL_OR_SMS_REQUIRED_FOR_GROUP_NOTIFICATION');
    await refuse(notify({ ...group, roles: [] }), 400, 'MISSING_ROLES_FOR_GROUP_NOTIFICATION');
    await refuse(notify({ ...group, roles: ['ORG_OWNER'] }), 400, 'INVALID_ENUM_VALUE', 'ORG_OWNER');
    await refuse(
      notify({ typeName: 'USER', username: 'x' }),
      400,
      'EMAIL_OR_SMS_REQUIRED_FOR_USER_NOTIFICATION',
    );
    const user = { typeName: 'USER', emailEnabled: true, username: 'nobody@example.org' };
    await refuse(notify(user), 400, 'BAD_USERNAME_REF', user.username);
    const team = { typeName: 'TEAM', emailEnabled: true, teamId: groupId };
    await refuse(notify(team), 404, 'TEAM_NOT_FOUND', groupId);
    await refuse(notify({ typeName: 'DATADOG', monitoringApiKey: 'short' }), 400, 'INVALID_DATADOG_API_KEY');
    await refuse(
      notify({ typeName: 'PAGER_DUTY', serviceKey: 'short' }),
      400,
      'INVALID_PAGER_DUTY_SERVICE_KEY',
    );
    await refuse(notify({ typeName: 'PIGEON' }), 400, 'INVALID_ENUM_VALUE', 'PIGEON');
    const { typeName: _, ...nameless } = EMAIL;
    await refuse(notify(nameless), 400, 'MISSING_ATTRIBUTE', 'notifications.0.typeName');
    const duty = { typeName: 'PAGER_DUTY', serviceKey: KEY, region: 'MOON' };
    await refuse(notify(duty), 400, 'INVALID_ENUM_VALUE', 'MOON');
    await refuse(
      notify({ ...EMAIL, channelName: 'x' }),
      400,
      'INVALID_ATTRIBUTE',
      'notifications.0.channelName',
    );
    await refuse(notify({ ...EMAIL, emailAddress: 'x' }), 400, 'INVALID_EMAIL_ADDRESS');
    const integration = { typeName: 'SLACK', channelName: 'x', integrationId: groupId };
    await refuse(notify(integration), 404, 'INTEGRATION_NOT_CONFIGURED', 'SLACK');
    await refuse(
      notify(...Array.from({ length: 51 }, () => EMAIL)),
      400,
      'MAX_NOTIFICATIONS_PER_ALERT_EXCEEDED',
      50,
    );
  });

  test('notifications can use the credentials of an integration', async () => {
    const { project, path, add } = await configurations();
    const at = `${project}/integrations/SLACK`;
    const slack = { type: 'SLACK', apiToken: 'xoxb-integration-token', channelName: 'bridge' };
    const listed = expectStatus<{ results: { id: string }[] }>(await setup.owner.post(at, slack), 200);
    const [{ id, ...shown } = { id: '' }] = listed.results;
    assert.match(JSON.stringify(shown), /"apiToken":"\*{8}oken"/);
    expectFault(await setup.owner.post(at, slack), 409, 'INTEGRATION_ALREADY_CONFIGURED', ['SLACK']);
    const { notifications } = await add(
      notify({ typeName: 'SLACK', channelName: 'deck', integrationId: id }),
    );
    assert.equal(notifications[0]?.integrationId, id);
    const inUse = ['SLACK', 'is used by alert configurations'];
    expectFault(await setup.owner.delete(at), 400, 'INVALID_INTEGRATION_SETTINGS', inUse);
    const { links: _, ...read } = expectStatus(await setup.owner.get(at), 200);
    const moved = { ...read, channelName: 'hold' };
    expectStatus(await setup.owner.put(at, moved), 200);
    assert.deepEqual(
      [expectStatus(await setup.owner.get(at), 200)].map(({ channelName, apiToken }) => [
        channelName,
        apiToken,
      ]),
      [['hold', '********oken']],
    );
    const other = { type: 'WEBHOOK', webhookUrl: 'https://example.org/hook-1234' };
    expectFault(await setup.owner.put(at, other), 400, 'INVALID_ATTRIBUTE', ['type']);
    expectFault(await setup.owner.get(`${project}/integrations/PIGEON`), 400, 'INVALID_PATH_PARAMETER', [
      'integrationType',
    ]);

    const hook = `${project}/integrations/WEBHOOK`;
    expectStatus(
      await setup.owner.post(hook, { type: 'WEBHOOK', webhookUrl: 'https://example.org/hook-1234' }),
      200,
    );
    const lent = await add(notify({ typeName: 'WEBHOOK' }));
    assert.match(String(lent.notifications[0]?.integrationId), /^[a-f0-9]{24}$/);
    expectFault(await setup.owner.delete(hook), 400, 'WEBHOOK_NOTIFICATIONS_PRESENT');
    expectStatus(await setup.owner.delete(`${path}/${lent.id}`), 204);
    expectStatus(await setup.owner.delete(hook), 204);
    expectFault(await setup.owner.get(hook), 404, 'INTEGRATION_NOT_CONFIGURED', ['WEBHOOK']);
    assert.deepEqual(
      (await eventTypes(setup.owner, project)).filter((name) => name.startsWith('INTEGRATION')),
      ['CONFIGURED', 'CONFIGURED', 'CONFIGURED', 'REMOVED'].map((what) => `INTEGRATION_${what}`),
    );
  });
});
