import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { serviceClock } from '@portolan/foundation/clock';
import { testClock } from '@portolan/foundation/testing';
import { type DatabaseLocation, onEachDatabase } from '@portolan/test-support/databases';
import { openTestStore } from '../store/testing.ts';
import {
  deleteOldEvents,
  type EventQuery,
  type EventRecord,
  type EventTypes,
  eventHandlers,
  eventMigrations,
  findEvent,
  listEvents,
  type NewEvent,
  on,
  ownersOfEvents,
  recordEvent,
  type Subscription,
  system,
} from './index.ts';
import { insertEvent, SLICE } from './rows.ts';

const types: EventTypes = {
  CLUSTER_CREATED: 'Cluster was created',
  CLUSTER_READY: 'Cluster is ready',
  ORG_RENAMED: 'Organization was renamed',
};

async function openEvents(t: TestContext, database: DatabaseLocation, subscriptions: Subscription[] = []) {
  const machine = testClock(Date.UTC(2025, 0, 1));
  const store = await openTestStore(t, database, {
    clock: serviceClock(machine),
    migrations: eventMigrations,
    handlers: eventHandlers(types, subscriptions),
  });
  const record = (event: Partial<NewEvent> & { type: string }) =>
    store.write((tx) => recordEvent(tx, { orgId: 'org', groupId: 'group', actor: system, ...event }));
  const list = (owner: Parameters<typeof listEvents>[1], query: Partial<EventQuery> = {}) =>
    store.read((tx) =>
      listEvents(tx, owner, { itemsPerPage: 100, pageNum: 1, includeCount: true, ...query }),
    );
  return { store, machine, record, list };
}

const names = ({ results }: { results: readonly { type: string }[] }) =>
  results.map(({ type }) => type).join(' ');

onEachDatabase('an event is read as it was recorded, with its service time', async (t, database) => {
  const { store, record } = await openEvents(t, database);
  const key = { apiKeyId: 'id', publicKey: 'abcdefgh', remoteAddress: '192.0.2.1' };
  const recorded = await record({
    type: 'CLUSTER_CREATED',
    actor: key,
    clusterName: 'c',
    details: { currentValue: { number: 97, units: 'RAW' } },
  });
  assert.deepEqual(recorded.created, new Date(Date.UTC(2025, 0, 1)));
  const find = (owner: Parameters<typeof findEvent>[1]) =>
    store.read((tx) => findEvent(tx, owner, recorded.id));
  assert.deepEqual(await find({ groupId: 'group' }), recorded);
  assert.deepEqual(await find({ orgId: 'org' }), recorded);
  assert.equal(await find({ groupId: 'other' }), undefined);
  const user = { userId: 'u', username: 'me@example.com' };
  const bySystem = await record({ type: 'ORG_RENAMED' });
  const byUser = await record({ type: 'ORG_RENAMED', actor: user });
  const actors = await store.read(async (tx) => [
    (await findEvent(tx, { orgId: 'org' }, bySystem.id))?.actor,
    (await findEvent(tx, { orgId: 'org' }, byUser.id))?.actor,
  ]);
  assert.deepEqual(actors, [{}, user]);
});

onEachDatabase('feeds are sorted from the newest, paginated and counted', async (t, database) => {
  const { machine, record, list } = await openEvents(t, database);
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) {
    // The first two events are recorded in the same millisecond, each of the others in a later one.
    if (n > 1) machine.advance(1);
    ids.unshift((await record({ type: 'CLUSTER_READY' })).id);
  }
  await record({ type: 'ORG_RENAMED', groupId: 'other' });
  const first = await list({ groupId: 'group' }, { itemsPerPage: 2 });
  assert.ok(first.next);
  const second = await list({ groupId: 'group' }, { itemsPerPage: 2, after: first.next });
  const third = await list({ groupId: 'group' }, { itemsPerPage: 2, pageNum: 3, includeCount: false });
  const found = [first, second, third].map(({ results }) => results.map(({ id }) => id));
  assert.deepEqual(found, [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  assert.deepEqual([first.totalCount, third.totalCount, third.next], [5, undefined, undefined]);
  assert.equal((await list({ orgId: 'org' })).totalCount, 6);
  assert.equal(names(await list({ orgId: 'org' }, { itemsPerPage: 1 })), 'ORG_RENAMED');
});

onEachDatabase('filters narrow a feed and its count', async (t, database) => {
  const { machine, record, list } = await openEvents(t, database);
  const begin = machine.now();
  await record({ type: 'CLUSTER_CREATED', clusterName: 'a' });
  machine.advance(1000);
  await record({ type: 'CLUSTER_READY', clusterName: 'a' });
  machine.advance(1000);
  await record({ type: 'CLUSTER_CREATED', clusterName: 'b' });
  const filtered = async (query: Partial<EventQuery>) => {
    const feed = await list({ groupId: 'group' }, query);
    return [names(feed), feed.totalCount];
  };
  const at = (seconds: number) => new Date(begin + seconds * 1000);
  assert.deepEqual(await filtered({ types: ['CLUSTER_READY'] }), ['CLUSTER_READY', 1]);
  assert.deepEqual(await filtered({ types: ['CLUSTER_READY', 'CLUSTER_CREATED'], itemsPerPage: 1 }), [
    'CLUSTER_CREATED',
    3,
  ]);
  assert.deepEqual(await filtered({ excludedTypes: ['CLUSTER_CREATED'] }), ['CLUSTER_READY', 1]);
  assert.deepEqual(await filtered({ clusterNames: ['a'] }), ['CLUSTER_READY CLUSTER_CREATED', 2]);
  assert.deepEqual(await filtered({ minDate: at(1) }), ['CLUSTER_CREATED CLUSTER_READY', 2]);
  assert.deepEqual(await filtered({ maxDate: at(1) }), ['CLUSTER_READY CLUSTER_CREATED', 2]);
  assert.deepEqual(await filtered({ minDate: at(1), maxDate: at(1) }), ['CLUSTER_READY', 1]);
  assert.deepEqual(await filtered({ minDate: at(2), maxDate: at(1) }), ['', 0]);
  assert.deepEqual(await filtered({ types: [], clusterNames: [] }), [
    'CLUSTER_CREATED CLUSTER_READY CLUSTER_CREATED',
    3,
  ]);
});

onEachDatabase(
  'subscriptions run in the transaction of the event, and can roll it back',
  async (t, database) => {
    const received: string[] = [];
    const { record, list } = await openEvents(t, database, [
      on(['CLUSTER_CREATED', 'CLUSTER_READY'], async (_, event) => void received.push(event.type)),
      on(['CLUSTER_CREATED'], async (tx, event) => {
        await recordEvent(tx, { type: 'CLUSTER_READY', orgId: event.orgId, actor: system });
      }),
      on(['ORG_RENAMED'], async () => {
        throw new Error('not this name');
      }),
    ]);
    await record({ type: 'CLUSTER_CREATED' });
    assert.deepEqual(received, ['CLUSTER_CREATED', 'CLUSTER_READY']);
    await assert.rejects(record({ type: 'ORG_RENAMED' }), { message: 'not this name' });
    assert.equal((await list({ orgId: 'org' })).totalCount, 2);
  },
);

onEachDatabase('an undeclared type cannot be recorded or subscribed to', async (t, database) => {
  const { record, list } = await openEvents(t, database);
  await assert.rejects(record({ type: 'MISSPELT' }), {
    message: 'The event type MISSPELT is not declared',
  });
  assert.equal((await list({ orgId: 'org' })).totalCount, 0);
  assert.throws(() => eventHandlers(types, [on(['MISSPELT'], async () => {})]), {
    message: 'A subscription names the undeclared event type MISSPELT',
  });
});

onEachDatabase('old events are deleted in batches, and counts follow', async (t, database) => {
  const { store, machine, record, list } = await openEvents(t, database);
  for (let day = 0; day < 5; day++) {
    await record({ type: 'CLUSTER_READY' });
    machine.advance(1000);
  }
  await store.write((tx) => recordEvent(tx, { type: 'ORG_RENAMED', orgId: 'org', actor: system }));
  const before = new Date(Date.UTC(2025, 0, 1) + 3000);
  assert.deepEqual(await store.read((tx) => ownersOfEvents(tx)), ['org']);
  const forget = () => store.write((tx) => deleteOldEvents(tx, 'org', before, 2));
  assert.deepEqual([await forget(), await forget(), await forget()], [2, 1, 0]);
  const [project, organization] = [await list({ groupId: 'group' }), await list({ orgId: 'org' })];
  assert.deepEqual([project.totalCount, organization.totalCount], [2, 3]);
  assert.deepEqual([project.results.length, organization.results.length], [2, 3]);
});

onEachDatabase(
  'feeds read many events in slices, and return the same pages as a list in memory',
  async (t, database) => {
    const { store, list } = await openEvents(t, database);
    const all: EventRecord[] = [];
    for (let place = 0; place < 2 * SLICE + 17; place++) {
      all.unshift({
        id: place.toString(16).padStart(24, '0'),
        type: place % 400 === 7 ? 'CLUSTER_READY' : 'CLUSTER_CREATED',
        orgId: 'org',
        groupId: place % 2 === 0 ? 'group' : 'other',
        created: new Date(Date.UTC(2025, 0, 1) + Math.floor(place / 3)),
        actor: system,
        ...(place % 7 === 0 && { clusterName: 'quay' }),
      });
    }
    await store.write(async (tx) => {
      for (const event of all) await insertEvent(tx, event, { shard: 0, number: 1 });
    });
    const rare = { types: ['CLUSTER_READY'] };
    const minDate = new Date(Date.UTC(2025, 0, 1) + 100);
    const queries: Array<
      [Parameters<typeof listEvents>[1], Partial<EventQuery>, (event: EventRecord) => boolean]
    > = [
      [{ orgId: 'org' }, rare, ({ type }) => type === 'CLUSTER_READY'],
      [
        { orgId: 'org', groupIds: ['other'] },
        rare,
        ({ type, groupId }) => type === 'CLUSTER_READY' && groupId === 'other',
      ],
      [
        { groupId: 'group' },
        { clusterNames: ['quay'] },
        ({ groupId, clusterName }) => groupId === 'group' && clusterName === 'quay',
      ],
      [{ orgId: 'org' }, { excludedTypes: ['CLUSTER_CREATED'], minDate, maxDate: minDate }, () => false],
      [{ orgId: 'org' }, { minDate }, ({ created }) => created >= minDate],
      [{ orgId: 'org' }, { types: ['ORG_RENAMED'] }, () => false],
    ];
    for (const [owner, query, matches] of queries) {
      const expected = all.filter(matches).map(({ id }) => id);
      for (const itemsPerPage of [2, 100]) {
        for (const pageNum of [1, 2, 13]) {
          const { results, totalCount } = await list(owner, { ...query, itemsPerPage, pageNum });
          const start = (pageNum - 1) * itemsPerPage;
          assert.deepEqual(
            [results.map(({ id }) => id), totalCount],
            [expected.slice(start, start + itemsPerPage), expected.length],
          );
        }
      }
      const seen: string[] = [];
      for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
        const { results, next } = await list(owner, {
          ...query,
          itemsPerPage: 90,
          ...(after !== undefined && { after }),
        });
        seen.push(...results.map(({ id }) => id));
        after = next;
      }
      assert.deepEqual(seen, expected);
    }
  },
);

onEachDatabase(
  'a feed serves other requests while it passes events that do not match',
  async (t, database) => {
    const { store, list } = await openEvents(t, database);
    await store.write(async (tx) => {
      for (let place = 0; place < 3 * SLICE + 1; place++) {
        const id = place.toString(16).padStart(24, '0');
        const event = { id, type: 'CLUSTER_READY', orgId: 'org', created: new Date(place), actor: system };
        await insertEvent(tx, event, { shard: 0, number: 1 });
      }
    });
    for (const query of [
      { types: ['ORG_RENAMED'] },
      { minDate: new Date(0) },
      { pageNum: 3 * SLICE, itemsPerPage: 1 },
    ]) {
      let turns = 0;
      let isEnded = false;
      const count = () => {
        turns++;
        if (!isEnded) setImmediate(count);
      };
      setImmediate(count);
      await list({ orgId: 'org' }, query);
      isEnded = true;
      assert.ok(turns >= 2, `${turns} turns for ${JSON.stringify(query)}`);
    }
  },
);
