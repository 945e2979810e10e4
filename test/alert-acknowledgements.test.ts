import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { timed } from './support/setups.ts';
import { type Link, type ListDocument, moveClock, newProject } from './support/stage.ts';
import { eventTypes } from './support/users.ts';

type AlertDocument = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly links: readonly Link[];
  readonly updated: string;
};

const UNTIL = '2100-01-01T00:00:00Z';
const LEGACY = '/api/service/v1.0';
const EMAIL = { typeName: 'EMAIL', emailAddress: 'purser@example.org' };
const accepting = (version: string) => ({ accept: `application/vnd.service.${version}+json` });

timed.onOneSetup('SQLite, one instance', 'open alerts and their acknowledgements', (setup) => {
  const bill = async (dailyBill: number) => {
    const path = `/operator/v1/orgs/${setup.bootstrap.orgId}/billing`;
    expectStatus(await setup.operator.put(path, { dailyBill }), 200);
  };

  /** Opens an alert about the organization's bill in a new project. */
  async function openAlert() {
    const project = await newProject(setup, { withDefaultAlertsSettings: false });
    const threshold = { operator: 'GREATER_THAN', threshold: 100 };
    const body = {
      eventTypeName: 'DAILY_BILL_OVER_THRESHOLD',
      enabled: true,
      threshold,
      notifications: [EMAIL],
    };
    const made = expectStatus<{ id: string }>(await setup.owner.post(`${project}/alertConfigs`, body), 201);
    await bill(101);
    // Move service time, since that makes the service evaluate states.
    await moveClock(setup, 1);
    const { results } = await until(
      'an open alert',
      async () =>
        expectStatus<ListDocument<AlertDocument>>(
          await setup.owner.get(`${project}/alerts?status=OPEN`),
          200,
        ),
      (page) => page.results.length === 1,
    );
    const path = `${project}/alerts/${results[0]?.id}`;
    const get = async () => expectStatus<AlertDocument>(await setup.owner.get(path), 200);
    return { project, path, get, configuration: `${project}/alertConfigs/${made.id}` };
  }

  const acknowledgementOf = ({
    acknowledgedUntil,
    acknowledgementComment,
    acknowledgingUsername,
  }: AlertDocument) => [acknowledgedUntil, acknowledgementComment, acknowledgingUsername] as const;

  test('only unacknowledgeAlert: true withdraws an acknowledgement', async () => {
    const { project, path, get } = await openAlert();
    const by = setup.bootstrap.publicKey;
    const patch = async (body: object, version = '2025-03-12') =>
      acknowledgementOf(expectStatus(await setup.owner.patch(path, body, accepting(version)), 200));
    for (const version of ['2024-05-30', '2025-03-12']) {
      const none = [undefined, undefined, undefined];
      assert.deepEqual(await patch({}, version), none);
      assert.deepEqual(await patch({ unacknowledgeAlert: true }, version), none);
      expectFault(
        await setup.owner.patch(path, { acknowledgementComment: 'whose?' }, accepting(version)),
        400,
        'MISSING_ATTRIBUTE',
        ['acknowledgedUntil'],
      );
      assert.deepEqual(await patch({ acknowledgedUntil: UNTIL }, version), [UNTIL, undefined, by]);
      assert.deepEqual(await patch({ unacknowledgeAlert: false }, version), [UNTIL, undefined, by]);
      assert.deepEqual(await patch({ acknowledgementComment: 'on it' }, version), [UNTIL, 'on it', by]);
      assert.deepEqual(await patch({}, version), [UNTIL, 'on it', by]);
      const later = '2101-01-01T00:00:00Z';
      assert.deepEqual(await patch({ acknowledgedUntil: later }, version), [later, 'on it', by]);
      assert.deepEqual(acknowledgementOf(await get()), [later, 'on it', by]);
      const withdrawal = { unacknowledgeAlert: true, acknowledgedUntil: UNTIL };
      assert.deepEqual(await patch(withdrawal, version), none);
      assert.deepEqual(acknowledgementOf(await get()), none);
    }
    const once = ['ACKNOWLEDGED', 'ACKNOWLEDGED', 'ACKNOWLEDGED', 'UNACKNOWLEDGED'];
    assert.deepEqual(
      (await eventTypes(setup.owner, project)).filter((type) => type.endsWith('ACKNOWLEDGED_AUDIT')),
      [...once, ...once].map((what) => `ALERT_${what}_AUDIT`),
    );
  });

  test('the first version withdraws an acknowledgement by omitting its end', async () => {
    const { path, get } = await openAlert();
    for (const body of [{}, { acknowledgementComment: 'on it' }]) {
      expectStatus(await setup.owner.patch(`${LEGACY}${path}`, { acknowledgedUntil: UNTIL }), 200);
      assert.equal((await get()).acknowledgedUntil, UNTIL);
      expectStatus(await setup.owner.patch(`${LEGACY}${path}`, body), 200);
      assert.deepEqual(acknowledgementOf(await get()), [undefined, undefined, undefined]);
    }
    expectFault(
      await setup.owner.patch(`${LEGACY}${path}`, { unacknowledgeAlert: true }),
      400,
      'INVALID_ATTRIBUTE',
      ['unacknowledgeAlert'],
    );
  });

  test('each evaluation of an open alert updates its time of change', async () => {
    const { get } = await openAlert();
    const { updated } = await get();
    const moved = await moveClock(setup, 10);
    const { updated: after } = await until('a later evaluation', get, (alert) => alert.updated > updated);
    assert.ok(Date.parse(after) >= moved - 1000, `${after} after ${updated}`);
  });

  test('an alert links its configuration until that is deleted', async () => {
    const { path, get, configuration } = await openAlert();
    const relations = ({ links }: AlertDocument) => links.map(({ rel }) => rel.split('/').at(-1));
    assert.deepEqual(relations(await get()), ['self', 'alertConfig', 'alertConfigs', 'notifications']);
    expectStatus(await setup.owner.delete(configuration), 204);
    const left = ['self', 'alertConfigs', 'notifications'];
    assert.deepEqual(relations(await get()), left);
    const patched = expectStatus<AlertDocument>(
      await setup.owner.patch(path, { acknowledgedUntil: UNTIL }),
      200,
    );
    assert.deepEqual(relations(patched), left);
    for (const { href } of patched.links) {
      const { pathname } = new URL(href);
      expectStatus(await setup.owner.get(pathname), 200);
    }
  });
});
