import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { openFormer } from '../../../clusters/testing.ts';
import { oplogOf } from './rows.ts';

interface FormerTables {
  backup_oplog: { cluster_id: string; group_id: string; host: string; document: string };
  backup_oplog_segment: {
    cluster_id: string;
    span: string;
    seconds: number;
    increment: number;
    document: string;
  };
}

const [NEXT, TRIMMED, FAILED, ENDED] = [1, 2, 3, 4].map((n) => new Date(n * 400_000_000_001)) as [
  Date,
  Date,
  Date,
  Date,
];
const mark = { seconds: 1_795_708_962, increment: 5, digest: 'd' };
const span = { id: 'span', begun: mark, started: NEXT.toISOString(), since: 's', through: mark };
const every = {
  spans: [{ ...span, checked: NEXT.toISOString() }],
  windowDays: 7,
  next: NEXT,
  runs: 3,
  asked: true,
  writing: true,
  trimmed: TRIMMED,
  problem: { reason: 'the store is unavailable', at: FAILED },
  ended: ENDED,
};
const few = { spans: [], windowDays: 3 };
const absent = { next: undefined, trimmed: undefined, problem: undefined, ended: undefined };

onEachDatabase(
  'the facts of stored archives are moved to columns, and their segments stay',
  async (t, database) => {
    const { store, groupId, opened } = await openFormer(t, database, [209]);
    const segment = { cluster_id: 'every', span: 'span', seconds: 1, increment: 1, document: '{}' };
    await store.write(async (tx) => {
      const db = tx.from<FormerTables>();
      const archives = Object.entries({ every, few }).map(([id, facts]) => {
        return { cluster_id: id, group_id: groupId, host: 'host', document: JSON.stringify(facts) };
      });
      await db.insertInto('backup_oplog').values(archives).execute();
      await db.insertInto('backup_oplog_segment').values(segment).execute();
    });
    await (await opened()).read(async (tx) => {
      const common = { groupId, host: 'host' };
      assert.deepEqual(await oplogOf(tx, 'every'), { clusterId: 'every', ...common, facts: every });
      const facts = { ...few, ...absent, runs: 0, asked: false, writing: false };
      assert.deepEqual(await oplogOf(tx, 'few'), { clusterId: 'few', ...common, facts });
      const segments = tx.from<FormerTables>().selectFrom('backup_oplog_segment').selectAll();
      assert.deepEqual(await segments.execute(), [segment]);
    });
  },
);
