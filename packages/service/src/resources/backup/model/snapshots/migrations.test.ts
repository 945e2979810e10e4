import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { openFormer } from '../../../clusters/testing.ts';
import { snapshotOfMember, snapshotsOf, unfinishedSince } from './rows.ts';

interface FormerTables {
  backup_snapshot: {
    id: string;
    group_id: string;
    cluster_id: string;
    host: string;
    status: string;
    snapshot_type: string;
    created: number | null;
    expires: number;
    document: string;
  };
  backup_copy: { snapshot_id: string; region: string; cluster_id: string; status: string };
}

const [DUE, STARTED, ENDED, EXPIRES] = [1, 2, 3, 4].map((n) => new Date(n * 400_000_000_001)) as [
  Date,
  Date,
  Date,
  Date,
];
const members = ['b', 'a'].map((id) => ({ id, replicaSetName: `set ${id}`, provider: 'GCP' }));
const items = [{ id: 'item', frequency: 'daily', days: 2 }];

/** One snapshot with all properties, and one with mandatory properties only. */
const every = {
  clusterName: 'c',
  frequency: 'daily',
  description: '"kept" É',
  retention: { value: 3, unit: 'MONTHS' },
  byHand: true,
  due: DUE,
  items,
  started: STARTED,
  ended: ENDED,
  sharded: { members, configServers: 'DEDICATED' },
  version: '8.0.4',
  provider: 'AWS',
  diskGB: 10.5,
  storageBytes: 2 ** 40,
  encryption: { masterKey: 'key', provider: 'AZURE' },
  tried: true,
  position: { seconds: 1_795_708_962, increment: 5 },
  problem: 'the host failed',
};
const few = {
  clusterName: 'c',
  frequency: 'ondemand',
  retention: { value: 1, unit: 'DAYS' },
  storageBytes: 0,
};
const absent = {
  description: undefined,
  byHand: false,
  due: undefined,
  items: undefined,
  started: undefined,
  ended: undefined,
  sharded: undefined,
  version: undefined,
  provider: undefined,
  diskGB: undefined,
  encryption: undefined,
  tried: false,
  position: undefined,
  consistency: undefined,
  problem: undefined,
};

onEachDatabase(
  'the facts of stored snapshots are moved to columns, and their copies stay',
  async (t, database) => {
    const { store, groupId, opened } = await openFormer(t, database, [208, 212]);
    const row = (id: string, facts: object) => ({
      id,
      group_id: groupId,
      cluster_id: 'c',
      host: 'host',
      status: 'failed',
      snapshot_type: 'scheduled',
      created: null,
      expires: EXPIRES.getTime(),
      document: JSON.stringify(facts),
    });
    const copy = { snapshot_id: '1', region: 'AWS/EU_WEST_1', cluster_id: 'c', status: 'completed' };
    await store.write(async (tx) => {
      const db = tx.from<FormerTables>();
      await db
        .insertInto('backup_snapshot')
        .values([row('1', every), row('2', few)])
        .execute();
      await db.insertInto('backup_copy').values(copy).execute();
    });

    const common = { groupId, clusterId: 'c', host: 'host', status: 'failed', type: 'scheduled' };
    const dates = { created: undefined, expires: EXPIRES };
    const first = { id: '1', ...common, ...dates, facts: { ...absent, ...every } };
    await (await opened()).read(async (tx) => {
      const second = { id: '2', ...common, ...dates, facts: { ...absent, ...few } };
      assert.deepEqual(await snapshotsOf(tx, 'c'), [first, second]);
      assert.deepEqual(await snapshotOfMember(tx, 'a'), first);
      assert.equal(await snapshotOfMember(tx, '1'), undefined);
      assert.deepEqual(await unfinishedSince(tx, 'c', undefined), DUE);
      assert.equal(await unfinishedSince(tx, 'c', DUE), undefined);
      const copies = tx.from<FormerTables>().selectFrom('backup_copy').selectAll();
      assert.deepEqual(await copies.execute(), [copy]);
    });
  },
);
