import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrowserSession } from './support/browser-session.ts';
import { openStream } from './support/event-stream.ts';
import { expectStatus, withinMinute } from './support/expect.ts';
import { onEachSetup } from './support/setups.ts';
import { newPerson } from './support/users.ts';

onEachSetup('event streams of sessions', (setup) => {
  async function loggedIn() {
    const { orgId } = setup.bootstrap;
    const person = await newPerson(setup, setup.owner, [{ orgId, roleName: 'ORG_MEMBER' }]);
    const sessions = [new BrowserSession(setup), new BrowserSession(setup)] as const;
    for (const session of sessions) {
      await session.logIn(person.username, person.password);
      await session.read();
    }
    return sessions;
  }

  /** Opens a stream on each instance. */
  function streamsOf({ cookie = '' }: BrowserSession) {
    const path = `/api/service/v2/orgs/${setup.bootstrap.orgId}/events/stream`;
    return Promise.all(
      setup.instances.map((instance) => openStream(instance, { path, headers: { cookie } })),
    );
  }

  /** Ends a session. Returns what the streams of that session, and those of another session, send afterwards. */
  async function logOut(count: number) {
    const [left, kept] = await loggedIn();
    // All streams end after a minute. The streams that stay open are older, so they would end first.
    const others = await streamsOf(kept);
    const ending = await streamsOf(left);
    expectStatus(await left.send('DELETE', '/console/session'), 204);
    const ended = [];
    for (const stream of ending) ended.push(await stream.next());
    const team = { name: `crew of streams ${count}`, usernames: [] };
    expectStatus(await setup.owner.post(`/orgs/${setup.bootstrap.orgId}/teams`, team), 200);
    const open = [];
    for (const stream of others) {
      open.push((await stream.next())?.event);
      stream.close();
    }
    return { ended, open };
  }

  test('end at once when their session ends, and no sooner', async () => {
    const { ended, open } = await withinMinute(logOut);
    assert.deepEqual(
      ended,
      setup.instances.map(() => undefined),
    );
    assert.deepEqual(
      open,
      setup.instances.map(() => 'event'),
    );
  });

  test('end when another session of the person ends their session', async () => {
    const [left, kept] = await loggedIn();
    const ending = await streamsOf(left);
    const { results } = expectStatus<{ results: { id: string; current: boolean }[] }>(
      await left.send('GET', '/console/sessions'),
      200,
    );
    const own = results.find(({ current }) => current);
    expectStatus(await kept.send('DELETE', `/console/sessions/${own?.id}`), 204);
    for (const stream of ending) assert.equal(await stream.next(), undefined);
  });
});
