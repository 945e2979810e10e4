import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertRestore } from '../model/restores/rows.ts';
import { openBackups, restoreRow } from '../testing.ts';
import { endRestore } from './changes.ts';

test('the event of a failed restore states the reason', async (t) => {
  const { store, cluster, recordedEvents } = await openBackups(t);
  const problem = 'the snapshot is damaged';
  await store.write(async (tx) => {
    const row = restoreRow(tx, cluster, 'snapshot');
    await insertRestore(tx, row);
    await endRestore(tx, row, { problem });
  });
  const failures = (await recordedEvents()).filter(({ type }) => type === 'CPS_RESTORE_FAILED');
  assert.deepEqual(failures, [{ type: 'CPS_RESTORE_FAILED', reason: problem }]);
});
