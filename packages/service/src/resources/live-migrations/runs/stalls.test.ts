import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { testClock } from '@portolan/foundation/testing';
import { system } from '../../../events/index.ts';
import { startWorker } from '../../../tasks/index.ts';
import { changeCluster } from '../../clusters/index.ts';
import { makeCluster, openClusters } from '../../clusters/testing.ts';
import { findUser } from '../../database-users/index.ts';
import { findProject } from '../../projects/index.ts';
import type { Services } from '../../services.ts';
import { requestCheck } from '../checks/changes.ts';
import { checkById } from '../checks/rows.ts';
import type { Progress } from '../protocol.ts';
import { grantAccess } from './access.ts';
import {
  addMigration,
  cancelMigration,
  continueAfterCheck,
  markRunning,
  recordProgress,
  requestCutover,
} from './changes.ts';
import { migrationById, openMigrationOf } from './rows.ts';
import { completeMigration, expireMigration, watchMigration } from './tasks.ts';

const HOUR_MS = 3_600_000;
const ID = '6b0379ae15b376aa4da9b5d7';
const CHECK_ID = '6b0379ae15b376aa4da9b5d9';
const BEGUN = '2025-03-12T00:00:00.000Z';

/**
 * Opens a migration whose host reports only when the test calls `report`. The engine host does not respond. The
 * migration is running unless `begin` is false.
 */
async function open(t: TestContext, { begin = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'stalls-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const machine = testClock();
  const clock = serviceClock(machine);
  const { store, groupId } = await openClusters(t, { file: join(folder, 'a.db') }, [], { clock, machine });
  const parts = { clock, machine, random: systemRandom(), log: silentLog() };
  const services = { ...parts, store } as Partial<Services> as Services;
  const kinds = [watchMigration, expireMigration, completeMigration];
  const worker = await startWorker<Services>({ ...parts, store, services, kinds, hosts: () => [] });
  t.after(() => worker.stop());
  const spec = {
    hostnameSchemaType: 'PUBLIC',
    sourceGroupId: '6b0379ae15b376aa4da9b5d8',
    sourceName: 'old',
    ssl: false,
    drop: false,
    host: 'harbour.example',
  } as const;
  const cluster = await store.write(async (tx) => {
    const made = await makeCluster(tx, groupId);
    const orgId = (await findProject(tx, groupId))?.orgId ?? '';
    const accepted = { id: ID, orgId, spec, sealed: undefined };
    const added = await addMigration(tx, made, accepted, machine.now());
    if (begin) await markRunning(tx, added, machine.now());
    else await requestCheck(tx, made, { ...accepted, id: CHECK_ID, migrationId: ID });
    return made;
  });
  const row = async () => {
    const found = await store.read((tx) => migrationById(tx, ID));
    assert.ok(found);
    return found;
  };
  return {
    store,
    cluster,
    row,
    async report(change: Partial<Progress> = {}) {
      const progress: Progress = { id: ID, attempt: 1, phase: 'copying', ready: false, ...change };
      const before = await row();
      await store.write((tx) => recordProgress(tx, before, progress, machine.now()));
    },
    /** Lets time pass. */
    async pass(hours: number) {
      machine.sleep(hours * HOUR_MS);
      worker.wake();
      await worker.idle();
    },
    /** Moves service time, but not machine time. */
    async jump(hours: number) {
      const setting = clock.setting();
      clock.set({ ...setting, at: setting.at + hours * HOUR_MS });
      worker.wake();
      await worker.idle();
    },
    /** Returns the state of the migration, and why it ends. */
    async outcome() {
      const { state, ending, progress } = await row();
      return [state, ending, progress.problem];
    },
  };
}

const running = ['RUNNING', undefined, undefined];
const OBSTACLE = 'connect ECONNREFUSED 192.0.2.1:27017';
const READY = { phase: 'following', ready: true, lagTimeSeconds: 0 } as const;
const LOST = { phase: 'following', ready: false, problem: OBSTACLE } as const;
/** Returns the expected reason for the failure of a migration that has made no progress since a date. */
const without = (since: string) =>
  `the migration host harbour.example has made no progress since ${since}: ${OBSTACLE}`;

test('a migration whose host is silent fails a day after its last report', async (t) => {
  const { pass, report, outcome } = await open(t);
  await pass(20);
  await report();
  await pass(23);
  assert.deepEqual(await outcome(), running);
  await pass(2);
  const problem =
    'the migration host harbour.example has reported no progress since 2025-03-12T20:00:00.000Z';
  assert.deepEqual(await outcome(), ['FAILED', 'FAILED', problem]);
});

test('a migration whose source is unreachable fails after a day, with the problem that its host reports', async (t) => {
  const { jump, report, outcome } = await open(t);
  await report();
  await report({ problem: OBSTACLE });
  await jump(23);
  await report({ problem: OBSTACLE });
  assert.deepEqual(await outcome(), running);
  await jump(1041);
  assert.deepEqual(await outcome(), ['FAILED', 'FAILED', without(BEGUN)]);
});

test('a migration fails after a day if its check, or the preparation of its destination, does not end', async (t) => {
  const { store, pass, jump, outcome } = await open(t, { begin: false });
  const checked = async () => (await store.read((tx) => checkById(tx, CHECK_ID)))?.status;
  await jump(1041);
  assert.deepEqual(await outcome(), ['CHECKING', undefined, undefined], 'a check that may be running');
  await pass(1);
  const problem = `the source and the destination have not been checked since ${BEGUN}: the migration host harbour.example reports nothing about the source, or the destination does not answer`;
  assert.deepEqual(await outcome(), ['FAILED', 'FAILED', problem]);
  assert.equal(await checked(), 'FAILED', 'its check has ended too');

  const later = await open(t, { begin: false });
  await later.pass(20);
  await later.store.write((tx) => continueAfterCheck(tx, ID, undefined));
  await later.pass(23);
  assert.deepEqual(await later.outcome(), ['PREPARING', undefined, undefined]);
  await later.pass(2);
  const unprepared =
    'the destination has not been prepared since 2025-03-12T20:00:00.000Z: its nodes do not have the database user of the migration yet';
  assert.deepEqual(await later.outcome(), ['FAILED', 'FAILED', unprepared]);
});

test('a migration that makes progress continues, however far service time is moved', async (t) => {
  const { store, jump, pass, report, outcome, row } = await open(t);
  await report({ problem: OBSTACLE });
  await report();
  await jump(1041);
  assert.deepEqual(await outcome(), running, 'a host that reports');
  for (let day = 0; day < 4; day++) {
    await report(READY);
    await pass(23);
  }
  await report(READY);
  await jump(24);
  assert.deepEqual(await outcome(), running, 'a migration that waits for its cutover');
  await store.write(async (tx) => requestCutover(tx, await row(), true, system));
  await pass(25);
  const [state, ending] = await outcome();
  assert.deepEqual([state, ending], ['FAILED', 'FAILED'], 'a cutover that nobody carries out');
});

test('the service changes the destination of a migration, but callers do not', async (t) => {
  const { store, cluster } = await open(t);
  const idle = { ...cluster, state: 'IDLE' } as const;
  const change = (actor: typeof system) =>
    store.write((tx) => changeCluster(tx, idle, { paused: true }, actor));
  await assert.rejects(change({ username: 'ada@example.org' }), {
    code: 'CANNOT_MODIFY_CLUSTER_WITH_RUNNING_LIVE_IMPORT',
  });
  await change(system);
});

test('a cancelled migration says who cancelled it', async (t) => {
  const { store, outcome, row } = await open(t);
  const cancelled = async () =>
    store.write(async (tx) => cancelMigration(tx, await row(), { username: 'ada@example.org' }));
  await cancelled();
  await assert.rejects(cancelled(), { code: 'INVALID_ATTRIBUTE' });
  assert.deepEqual(await outcome(), ['FAILED', 'FAILED', 'it was cancelled by ada@example.org']);
});

test('a migration whose source is gone does not wait for its cutover longer than a day', async (t) => {
  const { store, cluster, pass, report, outcome } = await open(t);
  await report(READY);
  await pass(50);
  assert.equal((await outcome())[0], 'FAILED', 'a silent host');

  const later = await open(t);
  await later.report(READY);
  await later.report(LOST);
  await later.jump(23);
  assert.deepEqual(await later.outcome(), running);
  await later.jump(2);
  assert.deepEqual(await later.outcome(), ['FAILED', 'FAILED', without(BEGUN)]);
  assert.equal(await store.read((tx) => openMigrationOf(tx, cluster.id)), undefined, 'no destination');
});

test('a migration that expires says what hindered it', async (t) => {
  const { jump, report, outcome } = await open(t);
  await report(READY);
  await jump(121);
  assert.deepEqual(await outcome(), ['EXPIRED', 'EXPIRED', undefined], 'nothing');

  const hindered = await open(t);
  await hindered.report(READY);
  await hindered.jump(119);
  await hindered.report(READY);
  await hindered.report(LOST);
  await hindered.jump(2);
  const since = '2025-03-16T23:00:00.000Z';
  assert.deepEqual(await hindered.outcome(), ['EXPIRED', 'EXPIRED', without(since)]);

  const gone = await open(t);
  await gone.report(READY);
  await gone.report(LOST);
  await gone.jump(1041);
  assert.deepEqual(await gone.outcome(), ['FAILED', 'FAILED', without(BEGUN)], 'both bounds have passed');
});

test('a migration that was restarted waits for its cutover for the full time', async (t) => {
  const { jump, report, outcome } = await open(t);
  await report(READY);
  await report({ phase: 'lost' });
  await jump(20);
  await report({ ...READY, attempt: 2 });
  await jump(101);
  assert.deepEqual(await outcome(), running, '121 hours after it was ready for the first time');
  await report({ ...READY, attempt: 2 });
  await jump(20);
  assert.deepEqual(await outcome(), ['EXPIRED', 'EXPIRED', undefined]);
});

test('a migration ends although its engine host is silent', async (t) => {
  const { store, cluster, row, outcome } = await open(t);
  const user = { groupId: cluster.groupId, databaseName: 'admin', username: `live-migration-${ID}` } as const;
  const hasUser = async () => (await store.read((tx) => findUser(tx, user))) !== undefined;
  await store.write(async (tx) => {
    await grantAccess(
      tx,
      await row(),
      { id: tx.id(), verifiers: undefined, password: undefined },
      '192.0.2.1',
    );
  });
  assert.equal(await hasUser(), true);
  await store.write(async (tx) => cancelMigration(tx, await row(), { username: 'ada@example.org' }));
  assert.deepEqual(await outcome(), ['FAILED', 'FAILED', 'it was cancelled by ada@example.org']);
  assert.equal(await hasUser(), false);
  assert.equal(await store.read((tx) => openMigrationOf(tx, cluster.id)), undefined);

  const complete = await open(t);
  await complete.report(READY);
  await complete.store.write(async (tx) => requestCutover(tx, await complete.row(), true, system));
  await complete.report({ phase: 'done', ready: true });
  assert.deepEqual(await complete.outcome(), ['ENDING', 'COMPLETE', undefined]);
  await complete.pass(1);
  assert.deepEqual(await complete.outcome(), ['COMPLETE', 'COMPLETE', undefined]);
});
