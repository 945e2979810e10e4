import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { serviceClock } from '@portolan/foundation/clock';
import { testClock } from '@portolan/foundation/testing';
import { type DatabaseLocation, onEachDatabase } from '@portolan/test-support/databases';
import { addCount, type Tx } from '../../../store/index.ts';
import type { TaskContext } from '../../../tasks/index.ts';
import { openClusters } from '../../clusters/testing.ts';
import type { Services } from '../../services.ts';
import { insertNotification, pageOfNotifications } from '../delivery/rows.ts';
import { insertAlert, pageOfAlerts } from '../model/rows.ts';
import type { AlertStatus } from '../model/schema.ts';
import { KEPT_DAYS, makeDeletion } from './retention.ts';
import { alertCounts, countOfAlerts } from './rules.ts';

const DAY_MS = 86_400_000;
/** More rows than the deletion processes in one batch. */
const OLD = 550;
const page = { pageNum: 1, itemsPerPage: 500, includeCount: false };

/** Opens a project. `run` runs the deletion, which keeps `kept` alerts and notifications of a project. */
async function opened(t: TestContext, database: DatabaseLocation, kept: number) {
  const machine = testClock(Date.UTC(2026, 0, 1));
  const clock = serviceClock(machine);
  const { store, groupId } = await openClusters(t, database, [], { clock, machine });
  async function add(tx: Tx, target: string, status: AlertStatus): Promise<void> {
    const resolved = status === 'CLOSED' ? tx.now : undefined;
    const times = { created: tx.now, updated: tx.now, lastNotified: undefined, resolved };
    const alert = {
      ...times,
      id: tx.id(),
      groupId,
      configurationId: 'c',
      eventType: 'HOST_DOWN',
      target,
      status,
    };
    await insertAlert(tx, { ...alert, clusterId: undefined, document: { subject: {} } });
    await addCount(tx, alertCounts[status], groupId, 1);
    const delivery = { outcome: 'KEPT', subject: target, body: '', to: [] } as const;
    const sent = {
      alertId: alert.id,
      groupId,
      created: tx.now,
      kind: 'EMAIL',
      reason: 'open',
      delivery,
    } as const;
    await insertNotification(tx, { ...sent, id: tx.id() });
  }
  const left = () =>
    store.read(async (tx) => ({
      alerts: (await pageOfAlerts(tx, groupId, undefined, page)).rows.map(({ target }) => target),
      notifications: (await pageOfNotifications(tx, { groupId }, page)).rows.map(
        ({ delivery }) => delivery.subject,
      ),
      closed: await countOfAlerts(tx, groupId, 'CLOSED'),
    }));
  const [step] = makeDeletion(kept).steps;
  const services = { clock } as Services;
  const run = (on: Pick<typeof store, 'read' | 'write'> = store) => {
    const context = { store: on, services, signal: new AbortController().signal };
    return step?.run?.(context as TaskContext<Services, never>);
  };
  return { store, machine, add, left, run };
}

onEachDatabase('closed alerts and notifications are deleted after their retention', async (t, database) => {
  const { store, machine, add, left, run } = await opened(t, database, 5000);
  await store.write(async (tx) => {
    await add(tx, 'live', 'OPEN');
    for (let n = 0; n < OLD; n++) await add(tx, 'old', 'CLOSED');
  });
  machine.advance(DAY_MS);
  await store.write((tx) => add(tx, 'newer', 'CLOSED'));
  machine.advance((KEPT_DAYS - 1) * DAY_MS);
  await run();
  assert.equal((await left()).closed, OLD + 1);
  machine.advance(1);
  await run();
  assert.deepEqual(await left(), { alerts: ['live', 'newer'], notifications: ['newer'], closed: 1 });
});

onEachDatabase('a project keeps its newest closed alerts and notifications', async (t, database) => {
  const { store, machine, add, left, run } = await opened(t, database, 2);
  await store.write(async (tx) => {
    await add(tx, 'live', 'OPEN');
    for (let n = 0; n < OLD; n++) await add(tx, 'old', 'CLOSED');
  });
  for (const target of ['newer', 'newest']) {
    machine.advance(1000);
    await store.write((tx) => add(tx, target, 'CLOSED'));
  }
  await run();
  assert.deepEqual(await left(), {
    alerts: ['live', 'newer', 'newest'],
    notifications: ['newest', 'newer'],
    closed: 2,
  });
});

onEachDatabase('alerts that two instances delete at the same time are counted once', async (t, database) => {
  const { store, machine, add, left, run } = await opened(t, database, 5000);
  await store.write((tx) => add(tx, 'old', 'CLOSED'));
  machine.advance(KEPT_DAYS * DAY_MS + 1);
  await store.write((tx) => add(tx, 'newer', 'CLOSED'));
  /** A store in which another instance deletes what this instance has found. */
  const shared: Pick<typeof store, 'read' | 'write'> = {
    read: (work) => store.read(work),
    async write(work) {
      await store.write(work);
      return store.write(work);
    },
  };
  await run(shared);
  assert.deepEqual(await left(), { alerts: ['newer'], notifications: ['newer'], closed: 1 });
});
