import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { type HttpReceiver, httpReceiver, type MailReceiver, mailReceiver } from './support/receivers.ts';
import { scopeOf } from './support/service.ts';
import { openSetup, type Setup, setupKinds } from './support/setups.ts';
import { type ListDocument, newProject } from './support/stage.ts';
import { newPerson } from './support/users.ts';

interface Configuration {
  readonly id: string;
  readonly notifications: readonly Record<string, unknown>[];
}

/** The services reject requests three times, some ten seconds apart, before the secret counts as invalid. */
for (const kind of setupKinds)
  describe(`secrets that third-party services reject (${kind})`, { concurrency: true }, () => {
    const setup = {} as Setup;
    let refusing = {} as HttpReceiver;
    let failing = {} as HttpReceiver;
    let mail = {} as MailReceiver;
    const scope = scopeOf({ after });
    before(async () => {
      refusing = await httpReceiver(scope);
      failing = await httpReceiver(scope);
      mail = await mailReceiver(scope);
      refusing.answer(403);
      failing.answer(500);
      const settings = {
        'allow-private-targets': true,
        'smtp-url': mail.url,
        'notification-urls': `OPS_GENIE=${refusing.url},SLACK=${refusing.url},VICTOR_OPS=${failing.url}`,
      };
      Object.assign(setup, await openSetup(scope, kind, { settings }));
    });

    const eventTypeName = 'NETWORK_PERMISSION_ENTRY_ADDED';

    async function configured(...notifications: object[]) {
      const project = await newProject(setup, { withDefaultAlertsSettings: false });
      const groupId = project.split('/').at(-1) ?? '';
      const owner = await newPerson(setup, setup.owner, [{ groupId, roleName: 'GROUP_OWNER' }]);
      await newPerson(setup, setup.owner, [{ groupId, roleName: 'GROUP_READ_ONLY' }]);
      const body = { eventTypeName, enabled: true, notifications };
      const reply = await setup.owner.post(`${project}/alertConfigs`, body);
      const { id } = expectStatus<Configuration>(reply, 201);
      const path = `${project}/alertConfigs/${id}`;
      return { project, owner: owner.username, path, read: () => readOf<Configuration>(path) };
    }

    const readOf = async <T>(path: string) => expectStatus<T>(await setup.owner.get(path), 200);

    const causeIn = async (project: string, ipAddress: string) =>
      expectStatus(await setup.owner.post(`${project}/accessList`, [{ ipAddress }]), 201);

    /** Waits until some notifications to third-party services have failed. */
    const failures = (project: string, count: number) =>
      until(
        `${count} failures`,
        async () => {
          const path = `/operator/v1/notifications?groupId=${project.split('/').at(-1)}`;
          const reply = await setup.operator.get(path);
          const { results } = expectStatus<ListDocument<{ outcome: string; problem?: string }>>(reply, 200);
          return results.filter(({ outcome }) => outcome === 'FAILED').map(({ problem }) => problem);
        },
        (found) => found.length >= count,
      );

    const mailsTo = (owner: string) => mail.received.filter(({ to }) => to.includes(owner));

    test('the secret of a notification is removed, its owners get a mail, and it can be set again', async () => {
      const genie = { typeName: 'OPS_GENIE', opsGenieApiKey: 'genie-key-1234' };
      const { project, owner, path, read } = await configured(genie);
      await causeIn(project, '192.0.2.7');
      await failures(project, 1);
      const { notifications } = await read();
      assert.deepEqual([notifications.length, notifications[0]?.opsGenieApiKey], [1, undefined]);
      const [letter] = await until(
        'the mail',
        async () => mailsTo(owner),
        (found) => found.length > 0,
      );
      assert.match(letter?.text ?? '', /OPS_GENIE rejects the opsGenieApiKey of a notification/);
      assert.equal(mail.received.filter(({ text }) => text.includes(path.split('/').at(-1) ?? '')).length, 1);
      await causeIn(project, '192.0.2.8');
      assert.ok((await failures(project, 2)).includes('the notification has no opsGenieApiKey'));
      const [{ notifierId } = {}] = notifications;
      const change = (more: object) =>
        setup.owner.put(path, {
          ...{ eventTypeName, enabled: true },
          notifications: [{ typeName: 'OPS_GENIE', notifierId, ...more }],
        });
      expectFault(await change({}), 400, 'MISSING_ATTRIBUTE', ['notifications.0.opsGenieApiKey']);
      expectStatus(await change({ opsGenieApiKey: 'genie-key-5678' }), 200);
      assert.equal((await read()).notifications[0]?.opsGenieApiKey, '********5678');
    });

    test('the secret of an integration is removed', async () => {
      const { project, owner } = await configured({ typeName: 'EMAIL', emailAddress: 'watch@example.org' });
      const slack = { type: 'SLACK', apiToken: 'lent-token-9999', channelName: 'lent' };
      const made = await setup.owner.post(`${project}/integrations/SLACK`, slack);
      const [integration] = expectStatus<ListDocument<{ id: string }>>(made, 200).results;
      const notifications = [{ typeName: 'SLACK', channelName: 'deck', integrationId: integration?.id }];
      const body = { eventTypeName, enabled: true, notifications };
      expectStatus(await setup.owner.post(`${project}/alertConfigs`, body), 201);
      await causeIn(project, '192.0.2.7');
      await failures(project, 1);
      const path = `${project}/integrations/SLACK`;
      const shown = await readOf<Record<string, unknown>>(path);
      assert.deepEqual([shown.type, shown.channelName, shown.apiToken], ['SLACK', 'lent', undefined]);
      await until(
        'the mail',
        async () => mailsTo(owner),
        (found) => found.some(({ text }) => /SLACK rejects the apiToken/.test(text)),
      );
      expectStatus(await setup.owner.put(path, { ...slack, apiToken: 'lent-token-8888' }), 200);
      assert.equal((await readOf<Record<string, unknown>>(path)).apiToken, '********8888');
    });

    test('a secret is kept if an attempt fails otherwise, or if the secret was replaced in the meantime', async () => {
      const victor = { typeName: 'VICTOR_OPS', victorOpsApiKey: 'victor-key-1234' };
      const genie = { typeName: 'OPS_GENIE', opsGenieApiKey: 'genie-key-7777' };
      const { project, path, read, owner } = await configured(victor, genie);
      await causeIn(project, '192.0.2.7');
      const [first, second] = (await read()).notifications;
      await until(
        'the first attempts',
        async () =>
          failing.received.length > 0 &&
          refusing.received.some(({ headers }) => JSON.stringify(headers).includes('genie-key-7777')),
        (areReceived) => areReceived,
      );
      failing.answer(403);
      const notifications = [
        { ...victor, notifierId: first?.notifierId },
        { ...genie, notifierId: second?.notifierId, opsGenieApiKey: 'genie-key-5678' },
      ];
      expectStatus(await setup.owner.put(path, { eventTypeName, enabled: true, notifications }), 200);
      await failures(project, 2);
      const kept = (await read()).notifications;
      assert.deepEqual([kept[0]?.victorOpsApiKey, kept[1]?.opsGenieApiKey], ['********1234', '********5678']);
      assert.deepEqual(mailsTo(owner), []);
    });
  });
