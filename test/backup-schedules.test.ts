import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digest } from './support/client.ts';
import type { KeyPair } from './support/digest.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { own } from './support/setups.ts';
import { idIn, idle, type ListDocument, newCluster, newProject } from './support/stage.ts';
import { eventTypes } from './support/users.ts';

interface Item {
  readonly id: string;
  readonly frequencyType: string;
  readonly frequencyInterval: number;
  readonly retentionUnit: string;
  readonly retentionValue: number;
}

interface ScheduleDocument {
  readonly clusterId: string;
  readonly nextSnapshot?: string;
  readonly policies: [{ readonly id: string; readonly policyItems: readonly Item[] }];
  readonly referenceHourOfDay: number;
  readonly referenceMinuteOfHour: number;
}

interface SnapshotDocument {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly frequencyType: string;
  readonly policyItems: readonly string[];
  readonly snapshotType: string;
  readonly status: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const ABSENT = '0123456789abcdef01234567';
const backedUp = { providerBackupEnabled: true };
const former = { accept: 'application/vnd.service.2023-01-01+json' };
const iso = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');

const item = (type: string, interval: number, value: number, unit: string, id?: string) => ({
  ...(id === undefined ? {} : { id }),
  frequencyType: type,
  frequencyInterval: interval,
  retentionValue: value,
  retentionUnit: unit,
});

own.onOneSetup('SQLite, one instance', 'backup schedules', (setup) => {
  /** Freezes service time at a full minute, at least `ms` from now. Returns the frozen time. */
  async function advance(ms: number): Promise<number> {
    const { now } = expectStatus<{ now: string }>(await setup.operator.get('/operator/v1/clock'), 200);
    const at = Math.ceil(Date.parse(now) / MINUTE_MS) * MINUTE_MS + ms;
    const change = { now: iso(at), frozen: true };
    expectStatus(await setup.operator.patch('/operator/v1/clock', change), 200);
    return at;
  }

  async function scheduled(change: object = backedUp) {
    const start = await advance(0);
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'fleet', change);
    return { start, project, cluster, path: `${cluster}/backup/schedule` };
  }

  const read = async (path: string) => expectStatus<ScheduleDocument>(await setup.owner.get(path), 200);
  const change = async (path: string, body: object) =>
    expectStatus<ScheduleDocument>(await setup.owner.patch(path, body), 200);

  /** Returns all snapshots of a cluster, once all are complete and the schedule is waiting for a later date. */
  async function snapshots(cluster: string, now: number): Promise<SnapshotDocument[]> {
    await until(
      'the schedule to have followed the clock',
      async () => (await read(`${cluster}/backup/schedule`)).nextSnapshot,
      (next) => next === undefined || Date.parse(next) > now,
    );
    const list = async () =>
      expectStatus<ListDocument<SnapshotDocument>>(
        await setup.owner.get(`${cluster}/backup/snapshots?itemsPerPage=500`),
        200,
      ).results;
    const finished = ({ status, expiresAt }: SnapshotDocument) =>
      status === 'completed' && Date.parse(expiresAt) > now;
    const found = await until('the end of all snapshots', list, (all) => all.every(finished));
    return [...found];
  }

  const dates = (all: readonly SnapshotDocument[]) =>
    all.map(({ createdAt, expiresAt, frequencyType }) => ({ createdAt, expiresAt, frequencyType }));

  test('a cluster with backups has the default schedule, in every version', async () => {
    const { start, project, cluster, path } = await scheduled();
    const {
      links: _,
      clusterId,
      policies,
      ...rest
    } = await read(path).then((document) => document as ScheduleDocument & { links: unknown });
    const date = new Date(start);
    assert.deepEqual(rest, {
      autoExportEnabled: false,
      clusterName: 'fleet',
      copySettings: [],
      extraRetentionSettings: [],
      nextSnapshot: iso(start + 6 * HOUR_MS),
      referenceHourOfDay: date.getUTCHours(),
      referenceMinuteOfHour: date.getUTCMinutes(),
      restoreWindowDays: 7,
      useOrgAndGroupNamesInExportPrefix: false,
    });
    assert.equal(clusterId, (await idle(setup.owner, cluster)).id);
    assert.deepEqual(
      policies[0].policyItems.map(({ id: _, ...each }) => each),
      [
        item('hourly', 6, 7, 'days'),
        item('daily', 1, 7, 'days'),
        item('weekly', 6, 4, 'weeks'),
        item('monthly', 40, 12, 'months'),
        item('yearly', 12, 1, 'years'),
      ],
    );
    const earlier = expectStatus<ScheduleDocument>(await setup.owner.get(path, former), 200);
    assert.deepEqual(earlier.policies, policies);

    // A request that sends back a response changes nothing.
    const same = await change(path, { ...rest, clusterId: ABSENT, policies });
    assert.deepEqual(same.policies, policies);
    assert.ok((await eventTypes(setup.owner, project)).includes('CPS_SNAPSHOT_SCHEDULE_UPDATED_AUDIT'));
    const sent = { useOrgAndGroupNamesInExportPrefix: true, referenceMinuteOfHour: 0, referenceHourOfDay: 3 };
    const changed = expectStatus<ScheduleDocument>(await setup.owner.patch(path, sent, former), 200);
    assert.deepEqual({ ...changed, ...sent }, changed);
    assert.equal(new Date(changed.nextSnapshot ?? '').getUTCHours() % 6, 3);
    const onLocalDisks = { instanceSizeName: 'M40_NVME', providerName: 'AWS', regionName: 'US_EAST_1' };
    const nvme = await newCluster(setup, project, 'nvme', { ...backedUp, providerSettings: onLocalDisks });
    const [first] = (await read(`${nvme}/backup/schedule`)).policies[0].policyItems;
    assert.deepEqual([first?.frequencyType, first?.frequencyInterval], ['hourly', 12]);
  });

  test('a year of service time leaves the snapshots that the schedule requires', async () => {
    const { start, cluster, path } = await scheduled();
    const policyItems = [
      item('hourly', 12, 2, 'days'),
      item('daily', 1, 2, 'days'),
      item('weekly', 6, 2, 'weeks'),
      item('monthly', 40, 4, 'months'),
      item('yearly', 12, 12, 'months'),
    ];
    const body = { policies: [{ policyItems }], restoreWindowDays: 2 };
    const { policies, referenceHourOfDay, referenceMinuteOfHour } = await change(path, body);
    const ids = policies[0].policyItems.map(({ id }) => id);
    const names = policies[0].policyItems.map(({ frequencyType }) => frequencyType);
    const keptDays = [2, 2, 14, 4 * 31, 366];
    const expected = (now: number) => {
      const all: object[] = [];
      const minutes = (59 + referenceMinuteOfHour - new Date(start).getUTCMinutes()) % 60;
      for (let at = start + (minutes + 1) * MINUTE_MS; at <= now; at += HOUR_MS) {
        const date = new Date(at);
        const onTime = date.getUTCHours() === referenceHourOfDay;
        const due = [
          (date.getUTCHours() - referenceHourOfDay) % 12 === 0,
          onTime,
          onTime && date.getUTCDay() === 6,
          onTime && new Date(at + DAY_MS).getUTCDate() === 1,
          onTime && date.getUTCDate() === 1 && date.getUTCMonth() === 11,
        ];
        const days = Math.max(...keptDays.filter((_, index) => due[index]), 0);
        if (days === 0 || at + days * DAY_MS <= now) continue;
        all.push({
          createdAt: iso(at),
          expiresAt: iso(at + days * DAY_MS),
          frequencyType: names[due.lastIndexOf(true)],
          policyItems: ids.filter((_, index) => due[index]),
          snapshotType: 'scheduled',
        });
      }
      return all;
    };
    const seen = async (now: number) =>
      (await snapshots(cluster, now)).map(
        ({ createdAt, expiresAt, frequencyType, policyItems, snapshotType }) => {
          return { createdAt, expiresAt, frequencyType, policyItems, snapshotType };
        },
      );
    const afterYear = await advance(365 * DAY_MS);
    assert.deepEqual(await seen(afterYear), expected(afterYear));
    // Check the snapshots again after each of two half days.
    for (let step = 0; step < 2; step++) {
      const now = await advance(12 * HOUR_MS);
      assert.deepEqual(await seen(now), expected(now));
    }
  });

  test('a change applies to earlier snapshots with updateSnapshots', async () => {
    const { start, cluster, path } = await scheduled();
    const hourly = { policies: [{ policyItems: [item('hourly', 12, 3, 'days')] }], restoreWindowDays: 1 };
    const { policies } = await change(path, hourly);
    const [{ id = '' } = {}] = policies[0].policyItems;
    const now = await advance(DAY_MS);
    const [first, second, ...others] = await snapshots(cluster, now);
    assert.ok(first && second);
    assert.equal(others.length, 0);
    const at = (hours: number, days: number) => {
      const created = start + hours * HOUR_MS;
      return { createdAt: iso(created), expiresAt: iso(created + days * DAY_MS), frequencyType: 'hourly' };
    };
    assert.deepEqual(dates([first, second]), [at(12, 3), at(24, 3)]);
    const alone = { retentionUnit: 'WEEKS', retentionValue: 1 };
    expectStatus(await setup.owner.patch(`${cluster}/backup/snapshots/${first.id}`, alone), 200);
    const longer = { policies: [{ policyItems: [item('hourly', 12, 5, 'days', id)] }] };
    await change(path, longer);
    assert.deepEqual(dates(await snapshots(cluster, now)), [at(12, 7), at(24, 3)]);
    await change(path, { updateSnapshots: true });
    assert.deepEqual(dates(await snapshots(cluster, now)), [at(12, 7), at(24, 5)]);

    const extra = [
      { frequencyType: 'HOURLY', retentionDays: 2 },
      { frequencyType: 'ON_DEMAND', retentionDays: 4 },
    ];
    const kept = await change(path, { extraRetentionSettings: extra });
    assert.deepEqual(
      (kept as ScheduleDocument & { extraRetentionSettings: unknown }).extraRetentionSettings,
      extra,
    );
    const later = await advance(12 * HOUR_MS);
    assert.deepEqual(dates(await snapshots(cluster, later)).at(-1), at(36, 7));
    const asked = await setup.owner.post(`${cluster}/backup/snapshots`, { retentionInDays: 1 });
    assert.equal(expectStatus(asked, 200).expiresAt, iso(later + 5 * DAY_MS));
    const soon = { ...longer, extraRetentionSettings: [], updateSnapshots: true };
    soon.policies = [{ policyItems: [item('hourly', 12, 1, 'days', id)] }];
    await change(path, soon);
    const left = (await snapshots(cluster, later)).filter(({ snapshotType }) => snapshotType === 'scheduled');
    assert.deepEqual(dates(left), [at(12, 7), at(24, 1), at(36, 1)]);
  });

  test('no snapshots of a paused cluster are taken, neither during the pause nor for it afterwards', async () => {
    const { project, cluster, path } = await scheduled();
    expectStatus(await setup.owner.patch(cluster, { paused: true }), 200);
    await idle(setup.owner, cluster);
    const now = await advance(3 * DAY_MS + 1 * HOUR_MS);
    assert.deepEqual(await snapshots(cluster, now), []);
    expectStatus(await setup.owner.patch(cluster, { paused: false }), 200);
    await idle(setup.owner, cluster);
    assert.deepEqual(await snapshots(cluster, now), []);
    const later = await advance(6 * HOUR_MS);
    const [only, ...others] = await snapshots(cluster, later);
    assert.deepEqual([only?.createdAt, others.length], [iso(later - 1 * HOUR_MS), 0]);

    const ended = expectStatus<ScheduleDocument>(await setup.owner.delete(path), 200);
    assert.deepEqual([ended.policies[0].policyItems, ended.nextSnapshot], [[], undefined]);
    const quiet = await advance(2 * DAY_MS);
    assert.equal((await snapshots(cluster, quiet)).length, 1);
    const again = await change(path, { policies: [{ policyItems: [item('daily', 1, 7, 'days')] }] });
    assert.equal(Date.parse(again.nextSnapshot ?? '') > quiet, true);
    expectStatus(await setup.owner.patch(cluster, { providerBackupEnabled: false }), 200);
    const none = await setup.owner.get(path);
    expectFault(none, 404, 'BACKUP_CONFIG_NOT_FOUND', ['fleet', idIn(project)]);
    assert.deepEqual(
      expectStatus<ListDocument>(await setup.owner.get(`${cluster}/backup/snapshots`), 200).results,
      [],
    );
    await idle(setup.owner, cluster);
    expectStatus(await setup.owner.patch(cluster, backedUp), 200);
    assert.equal((await read(path)).policies[0].policyItems.length, 5);
  });

  test('backup managers delete the schedules of a cluster, readers do not', async () => {
    const { project, path } = await scheduled();
    const keyWith = async (role: string) => {
      const made = await setup.owner.post(`${project}/apiKeys`, { desc: role, roles: [role] });
      const { publicKey, privateKey } = expectStatus<KeyPair>(made, 200);
      setup.keepOutOfLogs(privateKey);
      return setup.clientWith(digest({ publicKey, privateKey }));
    };
    expectFault(await (await keyWith('GROUP_READ_ONLY')).delete(path), 401, 'USER_UNAUTHORIZED');
    const manager = await keyWith('GROUP_BACKUP_MANAGER');
    const { policies } = expectStatus<ScheduleDocument>(await manager.delete(path), 200);
    assert.deepEqual(policies[0].policyItems, []);
  });

  test('rejects invalid policies with a reason', async () => {
    const { project, cluster, path } = await scheduled();
    const { policies } = await read(path);
    const [hourly, daily] = policies[0].policyItems;
    const refused = async (body: object, code: string, status = 400) =>
      assert.equal(expectStatus(await setup.owner.patch(path, body), status).errorCode, code);
    const items = (...policyItems: object[]) => ({ policies: [{ policyItems }] });
    for (const policyItem of [
      item('hourly', 3, 7, 'days'),
      item('daily', 2, 7, 'days'),
      item('weekly', 8, 7, 'days'),
      item('monthly', 29, 1, 'months'),
      item('yearly', 13, 1, 'years'),
      item('ondemand', 1, 7, 'days'),
      item('daily', 1, 7, 'DAYS'),
      item('daily', 1, 0, 'days'),
      item('weekly', 1, 6, 'days'),
      item('monthly', 1, 30, 'days'),
      item('monthly', 1, 4, 'weeks'),
      item('yearly', 1, 11, 'months'),
    ]) {
      await refused(items(policyItem), 'INVALID_BACKUP_POLICY');
    }
    const fine = item('daily', 1, 7, 'days');
    await refused(items(fine, fine), 'INVALID_BACKUP_POLICY');
    await refused(items(item('hourly', 1, 8, 'days'), fine), 'INVALID_BACKUP_POLICY');
    await refused(items({ ...fine, retentionValue: undefined }), 'MISSING_POLICY_ITEM_PARAMETERS');
    await refused(items(), 'INVALID_NUM_OF_POLICY_ITEMS');
    await refused({ policies: [] }, 'INVALID_NUM_OF_POLICIES');
    await refused({ policies: [...policies, ...policies] }, 'INVALID_NUM_OF_POLICIES');
    await refused({ policies: [{ ...policies[0], id: ABSENT }] }, 'INVALID_POLICY_ID');
    await refused(items({ ...fine, id: ABSENT }), 'INVALID_POLICY_ITEM_ID');
    await refused(items({ ...daily, id: hourly?.id }), 'INVALID_FREQUENCY_TYPE_CHANGE');
    await refused({ referenceHourOfDay: 24 }, 'INVALID_REFERENCE_HOUR_OF_DAY');
    await refused({ referenceMinuteOfHour: 60 }, 'INVALID_REFERENCE_MINUTE_OF_HOUR');
    await refused({ restoreWindowDays: 0 }, 'INVALID_RESTORE_WINDOW');
    await refused({ restoreWindowDays: 8 }, 'INVALID_RESTORE_WINDOW');
    // While continuous backup is off, the vendor's form accepts this window. The window then keeps its value when other
    // fields change.
    const accept = { accept: 'application/vnd.atlas.2024-08-05+json' };
    const window = await setup.owner.patch(`/api/atlas/v2${path}`, { restoreWindowDays: 8 }, accept);
    assert.partialDeepStrictEqual(expectStatus(window, 200), { restoreWindowDays: 8 });
    expectStatus(await setup.owner.patch(path, { referenceMinuteOfHour: 7 }), 200);
    await refused({ restoreWindowDays: 8 }, 'INVALID_RESTORE_WINDOW');
    expectStatus(await setup.owner.patch(path, { restoreWindowDays: 7 }), 200);
    await refused({ autoExportEnabled: true }, 'MISSING_ATTRIBUTE');
    const bucket = { exportBucketId: ABSENT, frequencyType: 'monthly' };
    await refused({ autoExportEnabled: true, export: bucket }, 'EXPORT_BUCKET_NOT_FOUND', 404);
    const place = { cloudProvider: 'AWS', regionName: 'US_WEST_2', zoneId: ABSENT };
    const copies = { ...place, frequencies: ['DAILY'], shouldCopyOplogs: false };
    await refused({ copySettings: [copies] }, 'INVALID_ATTRIBUTE');
    await refused({ deleteCopiedBackups: [place] }, 'INVALID_ATTRIBUTE');
    const none = { frequencyType: 'DAILY', retentionDays: 0 };
    await refused({ extraRetentionSettings: [none] }, 'INVALID_ATTRIBUTE');
    assert.deepEqual((await read(path)).policies, policies);
    const plain = await newCluster(setup, project, 'plain');
    const at = ['plain', idIn(project)];
    expectFault(await setup.owner.get(`${plain}/backup/schedule`), 404, 'BACKUP_CONFIG_NOT_FOUND', at);
    assert.ok(cluster);
  });
});
