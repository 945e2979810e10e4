import assert from 'node:assert/strict';
import { serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { testClock } from '@portolan/foundation/testing';
import { onEachDatabase } from '@portolan/test-support/databases';
import { listEvents, system } from '../../events/index.ts';
import type { DatabaseLocation, Store, Tx } from '../../store/index.ts';
import type { Ending } from '../../store/testing.ts';
import { listTasks, type TaskContext } from '../../tasks/index.ts';
import { insertBucket } from '../backup/testing.ts';
import { makeCluster, openClusters } from '../clusters/testing.ts';
import { insertRole } from '../provider-access/testing.ts';
import type { Services } from '../services.ts';
import { type ArchiveWork, addArchive, changeArchive, endRun, removeArchive, runDue } from './changes.ts';
import { type ArchiveRow, archiveById, saveArchive } from './rows.ts';
import type { NewArchive } from './schema.ts';
import { moveArchive } from './tasks.ts';

const criteria = { type: 'CUSTOM', query: '{"state":"done"}' } as const;
const found = { state: 'ACTIVE', seen: true } as const;
const page = { itemsPerPage: 500, pageNum: 1 };

async function stage(t: Ending, database: DatabaseLocation) {
  const { store, groupId } = await openClusters(t, database);
  const cluster = await store.write((tx) => makeCluster(tx, groupId));
  const add = (body: Partial<NewArchive> = {}) =>
    store.write((tx) =>
      addArchive(tx, system, cluster, { dbName: 'harbour', collName: 'calls', criteria, ...body }),
    );
  const stateOf = async ({ id }: ArchiveRow) => (await store.read((tx) => archiveById(tx, id)))?.state;
  const end = (row: ArchiveRow, result: Parameters<typeof endRun>[2]) =>
    store.write((tx) => endRun(tx, row.id, result));
  const tasks = async (kind: string) =>
    (await store.read((tx) => listTasks(tx, { kind: `onlineArchive.${kind}` }, page))).tasks;
  return { store, groupId, cluster, add, stateOf, end, tasks };
}

onEachDatabase('a cluster has at most 50 archives', async (t, database) => {
  const { add } = await stage(t, database);
  for (let count = 0; count < 50; count++) await add({ paused: true });
  await assert.rejects(add({ paused: true }), { code: 'ONLINE_ARCHIVES_LIMIT_EXCEEDED' });
});

onEachDatabase(
  'an orphaned archive becomes active again when its collection returns, unless another archive is active',
  async (t, database) => {
    const { store, add, stateOf, end } = await stage(t, database);
    const first = await add();
    await end(first, { state: 'ORPHANED', seen: true });
    const second = await add();
    await end(second, found);
    await end(first, found);
    assert.equal(await stateOf(first), 'ORPHANED');
    await store.write((tx) => removeArchive(tx, system, second));
    await end(first, found);
    assert.equal(await stateOf(first), 'ACTIVE');
    await assert.rejects(add(), { code: 'ACTIVE_ONLINE_ARCHIVE_EXISTS' });
  },
);

onEachDatabase('failures with the same reason are one event', async (t, database) => {
  const { store, groupId, add, end } = await stage(t, database);
  const row = await add();
  const reasons = async () => {
    const query = { ...page, includeCount: false, types: ['ONLINE_ARCHIVE_FAILED'] };
    const { results } = await store.read((tx) => listEvents(tx, { groupId }, query));
    return results.map(({ details }) => details?.reason);
  };
  await end(row, { failure: 'too slow' });
  await end(row, { failure: 'too slow' });
  assert.deepEqual(await reasons(), ['too slow']);
  await end(row, found);
  await end(row, { failure: 'too slow' });
  assert.deepEqual(await reasons(), ['too slow', 'too slow']);
});

onEachDatabase('a run that changes nothing writes no row', async (t, database) => {
  const { store, add, end } = await stage(t, database);
  const row = await add();
  await end(row, found);
  await store.write((tx) => endRun(withoutInserts(tx), row.id, found));
});

function withoutInserts(tx: Tx): Tx {
  const from = () => {
    const tables = tx.from<object>();
    return { selectFrom: tables.selectFrom.bind(tables), insertInto: () => assert.fail('a row was written') };
  };
  return Object.create(tx, { from: { value: from } }) as Tx;
}

onEachDatabase('runs are enqueued in pages, for all archives that are not paused', async (t, database) => {
  const { store, add, tasks } = await stage(t, database);
  const paused = await add({ paused: true });
  await store.write(async (tx) => {
    for (let count = 0; count < 201; count++)
      await saveArchive(tx, { ...paused, id: tx.id(), state: count === 0 ? 'ORPHANED' : 'ACTIVE' });
  });
  let writes = 0;
  const counted = {
    ...store,
    write: (use: Parameters<Store['write']>[0]) => {
      writes++;
      return store.write(use);
    },
  } as unknown as Store;
  await runDue(counted);
  assert.deepEqual([writes, (await tasks('move')).length], [3, 201]);
});

onEachDatabase('changed criteria keep their other fields, unless the type changes', async (t, database) => {
  const { store, cluster, add } = await stage(t, database);
  const dates = { dateField: 'at', expireAfterDays: 3 };
  const row = await add({ criteria: dates });
  const change = async (given: NonNullable<Parameters<typeof changeArchive>[3]['criteria']>) => {
    const changed = await store.write((tx) =>
      changeArchive(tx, system, { cluster, row }, { criteria: given }),
    );
    return changed.settings.criteria;
  };
  assert.deepEqual(await change({ expireAfterDays: 5 }), {
    ...{ ...dates, expireAfterDays: 5, type: 'DATE', dateFormat: 'ISODATE' },
  });
  assert.deepEqual(await change({ ...criteria }), criteria);
});

onEachDatabase(
  'changed settings request a run, and a pause needs no certain instance',
  async (t, database) => {
    const { store, cluster, add, tasks } = await stage(t, database);
    const row: ArchiveRow = { ...(await add({ paused: true })), state: 'ACTIVE', seen: true };
    await store.write((tx) => saveArchive(tx, row));
    const change = (body: Parameters<typeof changeArchive>[3]) =>
      store.write((tx) => changeArchive(tx, system, { cluster, row }, body));
    await change({ criteria });
    assert.deepEqual(await tasks('move'), []);
    await change({ criteria: { type: 'CUSTOM', query: '{"state":"old"}' } });
    assert.equal((await tasks('move')).length, 1);
    await change({ paused: true });
    assert.deepEqual(
      (await tasks('pause')).map(({ host }) => host),
      [undefined],
    );
  },
);

/** Runs the first step of a run against an engine. */
async function runAgainst(store: Store, row: ArchiveRow, engine: object, attempt: number) {
  const clock = serviceClock(testClock(Date.UTC(2025, 3, 1)));
  const services = { engines: { at: () => engine }, clock, clouds: {} };
  await store.write(async (tx) => {
    const { groupId } = row;
    const at = { groupId, created: tx.now, updated: tx.now, authorized: tx.now };
    const roleId = tx.id();
    await insertRole(tx, { ...at, id: roleId, identity: { provider: 'AWS', externalId: roleId } });
    const facts = { provider: 'AWS', bucketName: 'exports', roleId } as const;
    await insertBucket(tx, { id: tx.id(), groupId, facts });
  });
  const context = {
    ...{ store, services, log: silentLog(), attempt, signal: new AbortController().signal },
    payload: { clusterId: row.clusterId, archiveId: row.id },
  } as unknown as TaskContext<Services, ArchiveWork>;
  return moveArchive.steps[0]?.run?.(context);
}

onEachDatabase(
  'the last attempt of a run ends with its reason, not as a failed task',
  async (t, database) => {
    const { store, add } = await stage(t, database);
    const row = await add();
    const engine = { run: () => Promise.reject(new Error('no engine')) };
    await assert.rejects(runAgainst(store, row, engine, 4), { message: 'no engine' });
    assert.deepEqual(await runAgainst(store, row, engine, 5), { failure: 'no engine' });
  },
);

onEachDatabase('a run ends when its settings change', async (t, database) => {
  const { store, cluster, add } = await stage(t, database);
  const row = await add();
  const run = async () => {
    const other = { criteria: { type: 'CUSTOM', query: '{"state":"old"}' } } as const;
    await store.write((tx) => changeArchive(tx, system, { cluster, row }, other));
    return { ok: 1, cursor: { firstBatch: [{ name: 'calls' }] } };
  };
  const engine = { run, runAs: () => assert.fail('documents were read by the former criteria') };
  assert.deepEqual(await runAgainst(store, row, engine, 1), found);
});
