import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, digest } from './support/client.ts';
import type { KeyPair } from './support/digest.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import type { Reply } from './support/http.ts';
import { onEachSetup } from './support/setups.ts';
import { idIn, type ListDocument, newCluster, newProject, withoutOrigins } from './support/stage.ts';

interface EventDocument {
  readonly id: string;
  readonly created: string;
  readonly eventTypeName: string;
  readonly [detail: string]: unknown;
}

const ABSENT = 'f'.repeat(24);

onEachSetup('events', (setup) => {
  const list = async (path: string) =>
    expectStatus<ListDocument<EventDocument>>(await setup.owner.get(path), 200).results;
  const typesOf = (events: readonly EventDocument[]) => events.map(({ eventTypeName }) => eventTypeName);

  const newKey = async (place: string, role: string) => {
    const made = await setup.owner.post(`${place}/apiKeys`, { desc: 'reads events', roles: [role] });
    const pair = expectStatus<KeyPair>(made, 200);
    setup.keepOutOfLogs(pair.privateKey);
    return setup.clientWith(digest(pair));
  };

  test("changes of a project are listed in its feed and its organization's, newest first", async () => {
    const project = await newProject(setup);
    const entry = { ipAddress: '192.0.2.1' };
    expectStatus(await setup.account.post(`${project}/accessList`, [entry]), 201);
    expectStatus(await setup.owner.delete(`${project}/accessList/192.0.2.1`), 204);
    const events = await list(`${project}/events`);
    const types = ['NETWORK_PERMISSION_ENTRY_REMOVED', 'NETWORK_PERMISSION_ENTRY_ADDED', 'GROUP_CREATED'];
    assert.deepEqual(typesOf(events).toSorted(), types.toSorted());
    const dates = events.map(({ created }) => created);
    assert.deepEqual(dates, dates.toSorted().reverse());
    const feed = await list(`/orgs/${setup.bootstrap.orgId}/events?itemsPerPage=500`);
    const here = feed.filter(({ groupId }) => groupId === idIn(project)).map(({ id }) => id);
    assert.deepEqual(here.toSorted(), events.map(({ id }) => id).toSorted());
  });

  test('an event contains the actor, the action and the address', async () => {
    const { bootstrap } = setup;
    const project = await newProject(setup);
    expectStatus(await setup.account.post(`${project}/accessList`, [{ ipAddress: '192.0.2.1' }]), 201);
    const events = await list(`${project}/events`);
    const common = { groupId: idIn(project), orgId: bootstrap.orgId, isGlobalAdmin: false };
    const [added, created] = ['NETWORK_PERMISSION_ENTRY_ADDED', 'GROUP_CREATED'].map((type) => {
      const found = events.find(({ eventTypeName }) => eventTypeName === type);
      assert.ok(found);
      const { id: _, created: _created, links: _links, apiKeyId, ...rest } = found;
      return { ...rest, hasKey: apiKeyId !== undefined };
    });
    const { publicKey, clientId } = bootstrap;
    const by = { remoteAddress: '127.0.0.1', ...common };
    assert.deepEqual(created, { ...by, eventTypeName: 'GROUP_CREATED', publicKey, hasKey: true });
    const what = { eventTypeName: 'NETWORK_PERMISSION_ENTRY_ADDED', accessListEntry: '192.0.2.1' };
    assert.deepEqual(added, { ...by, ...what, username: clientId, hasKey: false });
  });

  test('events of the service itself have no actor', async () => {
    // Turn off alerts, since they record events that depend on the load of the machine.
    const project = await newProject(setup, { withDefaultAlertsSettings: false });
    await newCluster(setup, project, 'fleet');
    const events = await until(
      'CLUSTER_READY',
      () => list(`${project}/events?clusterNames=fleet`),
      (found) => typesOf(found).includes('CLUSTER_READY'),
    );
    // A busy machine may cause further events of the cluster.
    const expected = ['CLUSTER_CREATED', 'CLUSTER_READY'];
    assert.deepEqual(
      typesOf(events)
        .filter((type) => expected.includes(type))
        .toSorted(),
      expected,
    );
    const ready = events.find(({ eventTypeName }) => eventTypeName === 'CLUSTER_READY');
    assert.deepEqual(
      [ready?.publicKey, ready?.remoteAddress, ready?.clusterName],
      [undefined, undefined, 'fleet'],
    );
    assert.deepEqual(await list(`${project}/events?clusterNames=other`), []);
  });

  test('an event can be read by its id, in the project and in the organization', async () => {
    const { orgId } = setup.bootstrap;
    const project = await newProject(setup);
    const [event] = await list(`${project}/events`);
    assert.ok(event);
    const one = await setup.owner.get(`${project}/events/${event.id}`);
    assert.deepEqual(withoutOrigins(expectStatus(one, 200)), withoutOrigins(event));
    const { links: _, ...facts } = event;
    const { links, ...same } = expectStatus(await setup.owner.get(`/orgs/${orgId}/events/${event.id}`), 200);
    assert.deepEqual(same, facts);
    assert.match(JSON.stringify(links), new RegExp(`/orgs/${orgId}/events/${event.id}`));
    const raw = await setup.owner.get(`${project}/events/${event.id}?includeRaw=true`);
    assert.equal(typeof expectStatus(raw, 200).raw, 'object');
    const other = await newProject(setup);
    const elsewhere = await setup.owner.get(`${other}/events/${event.id}`);
    expectFault(elsewhere, 404, 'EVENT_NOT_FOUND', [event.id, idIn(other)]);
    const absent = await setup.owner.get(`/orgs/${orgId}/events/${ABSENT}`);
    expectFault(absent, 404, 'ORG_EVENT_NOT_FOUND', [ABSENT, orgId]);
    expectFault(await setup.owner.get(`${project}/events/x`), 400, 'INVALID_PATH_PARAMETER', ['eventId']);
  });

  test('in the feed of an organization, members see only events of their own projects', async () => {
    const { orgId } = setup.bootstrap;
    const feed = `/orgs/${orgId}/events`;
    const [own, other] = [await newProject(setup), await newProject(setup)];
    const member = await newKey(own, 'GROUP_READ_ONLY');
    const reader = await newKey(`/orgs/${orgId}`, 'ORG_READ_ONLY');
    const all = async (by: Client, query = '') => {
      const reply = await by.get(`${feed}?itemsPerPage=500${query}`);
      return expectStatus<ListDocument<EventDocument>>(reply, 200);
    };
    const [whole, mine] = [await all(reader), await all(member)];
    const readable = ({ groupId }: EventDocument) => groupId === undefined || groupId === idIn(own);
    const ids = (events: readonly EventDocument[]) => events.map(({ id }) => id);
    assert.deepEqual(ids(mine.results), ids(whole.results.filter(readable)));
    assert.equal(mine.totalCount, mine.results.length);
    assert.equal(whole.totalCount, whole.results.length);
    const made = await all(member, '&eventType=GROUP_CREATED');
    assert.deepEqual([made.totalCount, made.results.map(({ groupId }) => groupId)], [1, [idIn(own)]]);

    const page = expectStatus<ListDocument>(await member.get(`${feed}?itemsPerPage=2&pageNum=2`), 200);
    assert.deepEqual(
      page.results.map(({ id }) => id),
      ids(mine.results.slice(2, 4)),
    );
    const [hidden] = await list(`${other}/events`);
    const event = `${feed}/${hidden?.id}`;
    expectFault(await member.get(event), 404, 'ORG_EVENT_NOT_FOUND', [hidden?.id, orgId]);
    expectStatus(await reader.get(event), 200);
  });

  test('a feed can be filtered by type and date', async () => {
    const project = await newProject(setup);
    expectStatus(await setup.owner.patch(project, { tags: [] }), 200);
    const only = async (query: string) => typesOf(await list(`${project}/events?${query}`));
    assert.deepEqual(await only('eventType=GROUP_CREATED'), ['GROUP_CREATED']);
    assert.deepEqual(await only('excludedEventType=GROUP_CREATED'), ['GROUP_TAGS_MODIFIED']);
    assert.equal((await only('eventType=GROUP_CREATED&eventType=GROUP_TAGS_MODIFIED')).length, 2);
    assert.deepEqual(await only('eventType=CLUSTER_READY'), []);
    assert.deepEqual(await only('maxDate=2020-01-01T00:00:00Z'), []);
    assert.equal((await only('minDate=2020-01-01')).length, 2);
    const reversed = await setup.owner.get(
      `${project}/events?minDate=2021-01-01&maxDate=2020-01-01T00:00:00`,
    );
    const dates = ['2021-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z'];
    expectFault(reversed, 400, 'INVALID_DATE_RANGE', dates);
    const noDate = await setup.owner.get(`${project}/events?minDate=yesterday`);
    expectFault(noDate, 400, 'INVALID_DATE_FORMAT', ['yesterday']);
    const noFlag = await setup.owner.get(`${project}/events?includeRaw=1`);
    expectFault(noFlag, 400, 'INVALID_QUERY_PARAMETER', ['includeRaw']);
  });

  test('every event type that occurs is listed with a description', async () => {
    const reply = await setup.owner.get('/eventTypes?itemsPerPage=500');
    const { results, totalCount } = expectStatus<ListDocument>(reply, 200);
    const names = results.map(({ eventType }) => String(eventType));
    assert.deepEqual(names, names.toSorted());
    assert.equal(totalCount, names.length);
    for (const { links } of results) assert.deepEqual((links as { rel: string }[])[0]?.rel, 'self');
    const occurred = typesOf(await list(`/orgs/${setup.bootstrap.orgId}/events?itemsPerPage=500`));
    assert.deepEqual(
      occurred.filter((type) => !names.includes(type)),
      [],
    );
  });

  test('a project is limited to a hundred requests a minute, over all callers', async () => {
    const [project, other] = [await newProject(setup), await newProject(setup)];
    const path = `${project}/events?itemsPerPage=1`;
    const replies: Reply[] = [];
    // Send the requests again if a new rate window has begun meanwhile, since the new window permits another hundred.
    const refused = await until(
      'a rejected request',
      async () => {
        replies.push(...(await Promise.all(Array.from({ length: 101 }, () => setup.owner.get(path)))));
        return replies.find(({ status }) => status === 429);
      },
      (reply) => reply !== undefined,
    );
    assert.ok(refused);
    expectFault(refused, 429, 'RATE_LIMITED', [`/api/service/v2${project}/events`, 100, 1]);
    const { headers } = refused;
    assert.deepEqual([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')], ['100', '0']);
    assert.ok(Number(headers.get('retry-after')) <= 60);
    assert.ok(replies.filter(({ status }) => status === 200).length >= 100);
    assert.equal((await setup.account.get(`${other}/events`)).status, 200);
    assert.equal((await setup.owner.get(project)).status, 200);
  });
});
