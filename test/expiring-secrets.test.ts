import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from './support/client.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { type Setup, timed } from './support/setups.ts';
import { type ListDocument, moveClock, newOrganization, newProject, uniqueName } from './support/stage.ts';
import { newPerson } from './support/users.ts';

const HOUR_S = 3600;
const DAY_H = 24;

interface AccountDocument {
  readonly clientId: string;
  readonly secrets: readonly { readonly id: string; readonly secret?: string }[];
}

/**
 * Returns the warnings about an account in the events of its organization, oldest first. Removes the prefix that all
 * their types have.
 */
async function warnings(owner: Client, orgId: string, clientId: string): Promise<string[]> {
  const path = `/orgs/${orgId}/events?itemsPerPage=500`;
  const events = expectStatus<ListDocument<{ eventTypeName: string; targetUsername?: string }>>(
    await owner.get(path),
    200,
  );
  const start = 'ORG_SERVICE_ACCOUNT_SECRETS_';
  const types = events.results.filter((of) => of.targetUsername === clientId).map((of) => of.eventTypeName);
  return types
    .filter((type) => type.startsWith(start))
    .map((type) => type.slice(start.length))
    .reverse();
}

async function stage(setup: Setup, secretExpiresAfterHours: number) {
  const { key: owner, id: orgId } = await newOrganization(setup, 'ORG_OWNER');
  const name = uniqueName('pilot');
  const body = { name, description: 'brings ships in', roles: ['ORG_MEMBER'], secretExpiresAfterHours };
  const accounts = `/orgs/${orgId}/serviceAccounts`;
  const account = expectStatus<AccountDocument>(await owner.post(accounts, body), 201);
  for (const { secret = '' } of account.secrets) setup.keepOutOfLogs(secret);
  const { clientId } = account;
  const secrets = `${accounts}/${clientId}/secrets`;
  return {
    ...{ owner, orgId, name, secrets },
    path: `${accounts}/${clientId}`,
    id: account.secrets[0]?.id,
    seen: () => warnings(owner, orgId, clientId),
    async renew(hours: number) {
      const made = await owner.post(secrets, { secretExpiresAfterHours: hours });
      setup.keepOutOfLogs(expectStatus<{ secret: string }>(made, 201).secret);
    },
  };
}

const seenInTime = (read: () => Promise<string[]>, expected: readonly string[]) =>
  until(`the warnings ${expected}`, read, (seen) => seen.length >= expected.length).then((seen) =>
    assert.deepEqual(seen, expected),
  );

timed.onOneSetup('SQLite, one instance', 'secrets of service accounts that expire', (setup) => {
  test('owners are warned seven days before the expiry and after it, once each', async () => {
    const { owner, orgId, name, seen, renew } = await stage(setup, 8 * DAY_H);
    const owners = [{ orgId, roleName: 'ORG_OWNER' }];
    const { username } = await newPerson(setup, owner, owners);
    await newPerson(setup, owner, [{ orgId, roleName: 'ORG_MEMBER' }]);
    assert.deepEqual(await seen(), []);
    await moveClock(setup, (DAY_H + 1) * HOUR_S);
    await seenInTime(seen, ['EXPIRING']);
    await moveClock(setup, HOUR_S);
    await moveClock(setup, 7 * DAY_H * HOUR_S);
    await seenInTime(seen, ['EXPIRING', 'EXPIRED']);
    const mails = await until(
      'both mails',
      async () => {
        const reply = await setup.operator.get('/operator/v1/mails?itemsPerPage=500');
        type Mail = { readonly to: string; readonly subject: string; readonly body?: string };
        return expectStatus<ListDocument<Mail>>(reply, 200).results.filter((of) => of.subject.includes(name));
      },
      (found) => found.length >= 2,
    );
    assert.deepEqual(
      mails.map(({ to, subject }) => [to, subject]),
      [
        [username, `A secret of a service account has expired: ${name}`],
        [username, `A secret of a service account expires soon: ${name}`],
      ],
    );
    assert.match(mails[0]?.body ?? '', /^The secret db_sa_sk_\*+.{4} of the service account /);
    await renew(30 * DAY_H);
    assert.deepEqual(await seen(), ['EXPIRING', 'EXPIRED', 'NO_LONGER_EXPIRED']);
  });

  test('a warning ends when the secret is replaced or deleted, or its account is deleted', async () => {
    const [replaced, deleted, removed] = await Promise.all([1, 2, 3].map(() => stage(setup, 8 * DAY_H)));
    assert.ok(replaced && deleted && removed);
    await moveClock(setup, (DAY_H + 1) * HOUR_S);
    for (const { seen } of [replaced, deleted, removed]) await seenInTime(seen, ['EXPIRING']);
    await replaced.renew(30 * DAY_H);
    expectStatus(await deleted.owner.delete(`${deleted.secrets}/${deleted.id}`), 204);
    expectStatus(await removed.owner.delete(removed.path), 204);
    for (const { seen } of [replaced, deleted, removed])
      assert.deepEqual(await seen(), ['EXPIRING', 'NO_LONGER_EXPIRING']);
  });

  test('a secret that its account can replace, or that is valid for a week, needs no warning', async () => {
    const replaceable = await stage(setup, 30 * DAY_H);
    await replaceable.renew(8 * DAY_H);
    const brief = await stage(setup, 7 * DAY_H);
    const warned = await stage(setup, 8 * DAY_H);
    await moveClock(setup, (DAY_H + 1) * HOUR_S);
    await seenInTime(warned.seen, ['EXPIRING']);
    assert.deepEqual([await replaceable.seen(), await brief.seen()], [[], []]);
    await moveClock(setup, 7 * DAY_H * HOUR_S);
    await seenInTime(brief.seen, ['EXPIRED']);
    await seenInTime(warned.seen, ['EXPIRING', 'EXPIRED']);
    assert.deepEqual(await replaceable.seen(), []);
  });

  test('alert configurations, which belong to projects, cannot use the events', async () => {
    const project = await newProject(setup);
    for (const eventTypeName of ['EXPIRING', 'EXPIRED'].map((of) => `ORG_SERVICE_ACCOUNT_SECRETS_${of}`)) {
      const notifications = [{ typeName: 'EMAIL', emailAddress: 'watch@example.org' }];
      const body = { eventTypeName, enabled: true, notifications };
      const reply = await setup.owner.post(`${project}/alertConfigs`, body);
      expectFault(reply, 400, 'INVALID_EVENT_TYPE_FOR_ALERT', [eventTypeName]);
    }
  });
});
