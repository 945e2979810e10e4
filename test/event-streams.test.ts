import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fetchToken, serviceAccount } from './support/client.ts';
import { type EventStream, openStream, type StreamMessage } from './support/event-stream.ts';
import { expectFault, expectStatus } from './support/expect.ts';
import { onEachSetup, own, type Setup } from './support/setups.ts';
import { idIn, type ListDocument, newProject } from './support/stage.ts';

interface EventDocument {
  readonly id: string;
  readonly eventTypeName: string;
  readonly groupId?: string;
}

const base = '/api/service/v2';

/** Returns a function that opens event streams of a setup. They end with the suite. */
function streamsOf(setup: Setup) {
  const opened: EventStream[] = [];
  after(() => {
    for (const stream of opened) stream.close();
  });
  return async (path: string, { instance = 0, lastEventId = '', by = setup.bootstrap } = {}) => {
    const service = setup.instances[instance % setup.instances.length];
    const connection = setup.connections[0];
    assert.ok(service && connection);
    const token = await fetchToken(connection, by.clientId, by.clientSecret);
    const headers = {
      authorization: `Bearer ${token}`,
      ...(lastEventId === '' ? {} : { 'last-event-id': lastEventId }),
    };
    const stream = await openStream(service, { path: base + path, headers });
    opened.push(stream);
    return stream;
  };
}

function eventIn(message: StreamMessage | undefined): EventDocument {
  assert.equal(message?.event, 'event');
  return JSON.parse(message.data ?? '') as EventDocument;
}

/**
 * Returns the next event of a stream that reports a change of a project. Skips the creation of the project: an instance
 * sends this event first if it receives the event only after the stream opens.
 */
async function changeIn(stream: EventStream | undefined): Promise<EventDocument> {
  const event = eventIn(await stream?.next());
  return event.eventTypeName === 'GROUP_CREATED' ? changeIn(stream) : event;
}

const byId = (one: EventDocument, other: EventDocument) => (one.id < other.id ? -1 : 1);

onEachSetup('event streams', (setup) => {
  const open = streamsOf(setup);
  const allow = async (project: string, address: string, instance = 0) => {
    const entries = [{ ipAddress: address }];
    expectStatus(await setup.accountAt(instance).post(`${project}/accessList`, entries), 201);
  };
  const feed = async (project: string) =>
    expectStatus<ListDocument<EventDocument & { links: unknown }>>(
      await setup.account.get(`${project}/events`),
      200,
    ).results;

  test('deliver the events of any instance to the readers of all instances', async () => {
    const [project, other] = [await newProject(setup), await newProject(setup)];
    const streams = await Promise.all([
      open(`${project}/events/stream`, { instance: 0 }),
      open(`${project}/events/stream`, { instance: 1 }),
      open(`/orgs/${setup.bootstrap.orgId}/events/stream`),
    ]);
    const [first] = streams;
    assert.equal(first?.response.headers['content-type'], 'text/event-stream');
    assert.equal(first?.response.headers['cache-control'], 'no-store, no-transform');
    await allow(project, '192.0.2.1', 0);
    await allow(project, '192.0.2.2', setup.instances.length - 1);
    const listed = (await feed(project)).slice(0, 2).map(({ links: _, ...event }) => event);
    for (const stream of streams) {
      const received = [await changeIn(stream), await changeIn(stream)];
      assert.deepEqual(received.toSorted(byId), listed.toSorted(byId));
    }
    await allow(other, '192.0.2.3');
    await allow(project, '192.0.2.4');
    // The events of the other project are not in this stream, so the next event is one of this project.
    assert.equal((await changeIn(first)).groupId, idIn(project));
    const [, , all] = streams;
    const groups = [(await changeIn(all)).groupId, (await changeIn(all)).groupId];
    assert.deepEqual(groups.toSorted(), [idIn(project), idIn(other)].toSorted());
  });

  test('resume after the last event that was received, on any instance', async () => {
    const project = await newProject(setup);
    const address = `${project}/events/stream`;
    const first = await open(address, { instance: 0 });
    await allow(project, '192.0.2.1');
    let message = await first.next();
    while (eventIn(message).eventTypeName === 'GROUP_CREATED') message = await first.next();
    first.close();
    // The other instance records events while nobody reads the stream.
    await allow(project, '192.0.2.2', setup.instances.length - 1);
    await allow(project, '192.0.2.3');
    const missed = (await feed(project)).slice(0, 2).map(({ id }) => id);
    const lastEventId = message?.id ?? '';
    const stream = await open(address, { lastEventId, instance: setup.instances.length - 1 });
    const received = [eventIn(await stream.next()).id, eventIn(await stream.next()).id];
    assert.deepEqual(received.toSorted(), missed.toSorted());
    await allow(project, '192.0.2.4');
    const newest = (await feed(project))[0]?.id;
    assert.equal(eventIn(await stream.next()).id, newest);
  });

  test('send reset to a reader whose last event is unknown', async () => {
    const project = await newProject(setup);
    const known = (await feed(project))[0]?.id;
    for (const lastEventId of ['unknown', `${known}.zzzzzz`, `${'f'.repeat(24)}.1`]) {
      const stream = await open(`${project}/events/stream`, { lastEventId });
      assert.deepEqual((await stream.next())?.event, 'reset');
    }
  });

  test('contain events of an organization only for callers who may see the projects', async () => {
    const { orgId } = setup.bootstrap;
    const body = { name: 'plain member', description: 'reads', roles: ['ORG_MEMBER'] };
    const made = expectStatus<{ clientId: string; secrets: { secret: string }[] }>(
      await setup.account.post(`/orgs/${orgId}/serviceAccounts`, { ...body, secretExpiresAfterHours: 8 }),
      201,
    );
    const clientSecret = made.secrets[0]?.secret ?? '';
    setup.keepOutOfLogs(clientSecret);
    const { clientId } = made;
    const project = await newProject(setup);
    const by = { ...setup.bootstrap, clientId, clientSecret };
    const stream = await open(`/orgs/${orgId}/events/stream`, { by });
    await allow(project, '192.0.2.1');
    const team = { name: 'readers of streams', usernames: [] };
    expectStatus(await setup.account.post(`/orgs/${orgId}/teams`, team), 200);
    assert.equal(eventIn(await stream.next()).groupId, undefined);
    const member = setup.clientWith(serviceAccount(clientId, clientSecret));
    const refused = await member.get(`${project}/events/stream`, { accept: 'text/event-stream' });
    expectStatus(refused, 401);
  });

  test('are sent only if the Accept header requests a stream', async () => {
    const project = await newProject(setup);
    expectFault(await setup.account.get(`${project}/events/stream`), 406, 'UNEXPECTED_ERROR');
  });
});

own.onSetup('SQLite, one instance', 'event streams of a service that stops', (setup) => {
  const open = streamsOf(setup);

  test('end at once', async () => {
    const stream = await open(`/orgs/${setup.bootstrap.orgId}/events/stream`);
    const stopped = setup.stop();
    assert.equal(await stream.next(), undefined);
    await stopped;
  });
});
