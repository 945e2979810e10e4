import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../events/index.ts';
import { addCount, type Tx } from '../../store/index.ts';
import { enqueue } from '../../tasks/index.ts';
import { assertWithin, projectCounters, recordInProject } from '../projects/index.ts';
import { accessListFaults } from './faults.ts';
import { deleteEntry, type EntryRow, findEntry, insertEntry, updateEntry } from './rows.ts';
import type { NewEntry } from './rules.ts';

/** The kind of the task that removes a temporary entry (see `tasks.ts`). */
export const EXPIRY = { kind: 'accessList.expire' };

export async function putEntries(
  tx: Tx,
  groupId: string,
  entries: readonly NewEntry[],
  actor: Actor,
): Promise<void> {
  for (const entry of entries) await putEntry(tx, groupId, entry, actor);
}

/** Adds an entry, or updates the entry with the same block. */
async function putEntry(tx: Tx, groupId: string, entry: NewEntry, actor: Actor): Promise<void> {
  const before = await findEntry(tx, groupId, entry.cidr);
  if (before && before.deleteAfter === undefined && entry.deleteAfter !== undefined) {
    throw accessListFaults.PERMANENT_ENTITY_CANNOT_BE_MADE_TEMPORARY();
  }
  const row: EntryRow = { ...entry, id: before?.id ?? tx.id(), groupId };
  if (before) await updateEntry(tx, row);
  else await addEntry(tx, row);
  if (row.deleteAfter) {
    await enqueue(tx, EXPIRY, {
      key: row.id,
      owner: row.groupId,
      payload: { entryId: row.id },
      runAt: row.deleteAfter,
    });
  }
  if (!before) await record(tx, 'NETWORK_PERMISSION_ENTRY_ADDED', row, actor);
  else if (!isDeepStrictEqual(before, row)) await record(tx, 'NETWORK_PERMISSION_ENTRY_UPDATED', row, actor);
}

async function addEntry(tx: Tx, row: EntryRow): Promise<void> {
  await assertWithin(
    tx,
    row.groupId,
    projectCounters.accessList,
    accessListFaults.PLATFORM_NETWORK_PERMISSIONS_LIMIT_EXCEEDED,
  );
  await insertEntry(tx, row);
  await addCount(tx, projectCounters.accessList, row.groupId, 1);
}

export async function removeEntry(tx: Tx, row: EntryRow, actor: Actor): Promise<void> {
  await deleteEntry(tx, row.id);
  await addCount(tx, projectCounters.accessList, row.groupId, -1);
  await record(tx, 'NETWORK_PERMISSION_ENTRY_REMOVED', row, actor);
}

async function record(tx: Tx, type: string, row: EntryRow, actor: Actor): Promise<void> {
  const details = { accessListEntry: row.address ?? row.cidr };
  await recordInProject(tx, row.groupId, { type, actor, details });
}
