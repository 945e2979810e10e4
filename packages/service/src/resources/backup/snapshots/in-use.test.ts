import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { system } from '../../../events/index.ts';
import type { ReadTx } from '../../../store/index.ts';
import { deleteCopies, insertCopy } from '../copies/rows.ts';
import { offerDownload, requestDownload } from '../downloads/changes.ts';
import { cancelExports } from '../exports/changes.ts';
import { openDownloadsOf } from '../model/downloads/rows.ts';
import { insertExport } from '../model/exports/rows.ts';
import { insertRestore, openRestores } from '../model/restores/rows.ts';
import { type SnapshotRow, snapshotById, snapshotsOf } from '../model/snapshots/rows.ts';
import { endRestore } from '../restores/changes.ts';
import { openBackups, restoreRow } from '../testing.ts';
import { removeSnapshot, requestSnapshot } from './changes.ts';
import { rejectInUse } from './in-use.ts';

const DAY = { value: 1, unit: 'DAYS' } as const;
const DAY_MS = 86_400_000;
const REGION = 'AWS/EU_WEST_1';

async function opened(t: TestContext) {
  const backups = await openBackups(t);
  const { store, cluster, settled } = backups;
  await backups.idleCluster();
  const take = async () => {
    await store.write((tx) =>
      requestSnapshot(tx, cluster, { description: undefined, retention: DAY }, system),
    );
    await settled();
    const row = (await store.read((tx) => snapshotsOf(tx, cluster.id))).at(-1);
    assert.equal(row?.status, 'completed');
    return row;
  };
  const remove = (row: SnapshotRow) => store.write((tx) => removeSnapshot(tx, row, system));
  const only = async <T>(read: (tx: ReadTx, clusterId: string) => Promise<T[]>): Promise<T> => {
    const [row] = await store.read((tx) => read(tx, cluster.id));
    assert.ok(row);
    return row;
  };
  return { ...backups, take, remove, only };
}

type Opened = Awaited<ReturnType<typeof opened>>;

interface Use {
  readonly as: string;
  begin(backups: Opened, row: SnapshotRow): Promise<unknown>;
  end(backups: Opened, row: SnapshotRow): Promise<unknown>;
}

const uses: readonly Use[] = [
  {
    as: 'restored',
    // Insert the job without a task, because a task would complete the job.
    begin: ({ store, cluster }, { id }) =>
      store.write((tx) => insertRestore(tx, { ...restoreRow(tx, cluster, id), targetId: 'target' })),
    end: async ({ store, only }) => {
      const row = await only(openRestores);
      await store.write((tx) => endRestore(tx, row, { collections: 1, documents: 1 }));
    },
  },
  {
    as: 'downloaded',
    begin: ({ store }, snapshot) =>
      store.write((tx) => requestDownload(tx, { ...snapshot, host: 'elsewhere' }, { hours: 4 }, system)),
    end: async ({ store, only }) => {
      const row = await only(openDownloadsOf);
      const ready = { archives: [], compared: { collections: 1, documents: 1 } };
      await store.write((tx) => offerDownload(tx, row, ready));
    },
  },
  {
    as: 'exported',
    begin: ({ store, cluster }, { id, groupId }) => {
      return store.write((tx) =>
        insertExport(tx, {
          id: tx.id(),
          groupId,
          clusterId: cluster.id,
          clusterName: cluster.name,
          snapshotId: id,
          bucketId: 'bucket',
          origin: { orgId: '', orgName: '', groupName: '', labels: [], snapshotDate: tx.now },
          state: 'InProgress',
          created: tx.now,
          finished: undefined,
          prefix: '',
          customData: [],
          bySchedule: false,
          exported: 0,
          total: 0,
        }),
      );
    },
    end: ({ store, cluster }) => store.write((tx) => cancelExports(tx, cluster.id, () => true)),
  },
  {
    as: 'copied',
    begin: ({ store, cluster }, { id }) =>
      store.write((tx) =>
        insertCopy(tx, { snapshotId: id, region: REGION, clusterId: cluster.id, status: 'inProgress' }),
      ),
    end: ({ store, cluster }) => store.write((tx) => deleteCopies(tx, cluster.id, REGION)),
  },
];

for (const { as, begin, end } of uses) {
  test(`a snapshot that is being ${as} cannot be deleted, and does not expire until this has ended`, async (t) => {
    const backups = await opened(t);
    const { store, cluster, clock, settled, take, remove } = backups;
    const refused = { code: 'SNAPSHOT_IN_USE', parameters: ['', as] };
    const snapshot = await take();
    const another = await take();
    await begin(backups, snapshot);
    refused.parameters[0] = snapshot.id;
    await assert.rejects(remove(snapshot), refused);
    await assert.rejects(
      store.read((tx) => rejectInUse(tx, cluster.id)),
      refused,
    );
    await remove(another);

    // Change service time, as an operator can.
    clock.set({ ...clock.setting(), at: clock.setting().at + 2 * DAY_MS });
    await settled();
    const found = () => store.read((tx) => snapshotById(tx, snapshot.id));
    assert.ok(await found());
    await end(backups, snapshot);
    await settled();
    assert.equal(await found(), undefined);
  });
}

test('a snapshot whose download is ready can be deleted, which ends the download', async (t) => {
  const { store, take, remove, only } = await opened(t);
  const snapshot = await take();
  await store.write((tx) => requestDownload(tx, { ...snapshot, host: 'elsewhere' }, { hours: 1 }, system));
  const compared = { collections: 1, documents: 1 };
  const pending = await only(openDownloadsOf);
  await store.write((tx) => offerDownload(tx, pending, { archives: [], compared }));
  await remove(snapshot);
  assert.deepEqual(await store.read((tx) => openDownloadsOf(tx, snapshot.clusterId)), []);
});
