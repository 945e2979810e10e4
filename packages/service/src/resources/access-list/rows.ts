import type { Kysely, Selectable } from 'kysely';
import {
  codec,
  fetchPage,
  type PageRange,
  prepared,
  preparedInsert,
  type ReadTx,
  type Tx,
} from '../../store/index.ts';

interface Tables {
  network_permission: {
    id: string;
    group_id: string;
    cidr: string;
    address: string | null;
    comment: string;
    delete_after: number | null;
  };
}

export interface EntryRow {
  readonly id: string;
  readonly groupId: string;
  /** The block in canonical form. A single address is a block of size one. */
  readonly cidr: string;
  /** The single address with which the entry was created; undefined if it was created with a block. */
  readonly address: string | undefined;
  readonly comment: string;
  readonly deleteAfter: Date | undefined;
}

function readRow(row: Selectable<Tables['network_permission']>): EntryRow {
  return {
    id: row.id,
    groupId: row.group_id,
    cidr: row.cidr,
    address: row.address ?? undefined,
    comment: row.comment,
    deleteAfter: codec.optionalDate.read(row.delete_after),
  };
}

function writeRow(row: EntryRow): Tables['network_permission'] {
  return {
    id: row.id,
    group_id: row.groupId,
    cidr: row.cidr,
    address: row.address ?? null,
    comment: row.comment,
    delete_after: codec.optionalDate.write(row.deleteAfter),
  };
}

const insert = preparedInsert((db: Kysely<Tables>, rows: readonly Tables['network_permission'][]) =>
  db.insertInto('network_permission').values(rows),
);

const byBlock = prepared((db: Kysely<Tables>, of: { groupId: string; cidr: string }) =>
  db
    .selectFrom('network_permission')
    .selectAll()
    .where('group_id', '=', of.groupId)
    .where('cidr', '=', of.cidr),
);

export async function insertEntry(tx: Tx, row: EntryRow): Promise<void> {
  await insert(tx, [writeRow(row)]);
}

export async function updateEntry(tx: Tx, row: EntryRow): Promise<void> {
  const { id, ...columns } = writeRow(row);
  await tx.from<Tables>().updateTable('network_permission').set(columns).where('id', '=', id).execute();
}

export async function deleteEntry(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('network_permission').where('id', '=', id).execute();
}

export async function findEntry(tx: ReadTx, groupId: string, cidr: string): Promise<EntryRow | undefined> {
  const row = await byBlock.first(tx, { groupId, cidr });
  return row && readRow(row);
}

export async function entryById(tx: ReadTx, id: string): Promise<EntryRow | undefined> {
  const query = tx.from<Tables>().selectFrom('network_permission').selectAll();
  const row = await query.where('id', '=', id).executeTakeFirst();
  return row && readRow(row);
}

export async function pageOfEntries(tx: ReadTx, groupId: string, page: PageRange) {
  const query = tx
    .from<Tables>()
    .selectFrom('network_permission')
    .selectAll()
    .where('group_id', '=', groupId);
  const { rows, next } = await fetchPage(query, 'id', page);
  return { rows: rows.map(readRow), next };
}

/** Returns all blocks of a project, in the form that the engine needs. */
export async function blocksOf(tx: ReadTx, groupId: string): Promise<string[]> {
  const query = tx
    .from<Tables>()
    .selectFrom('network_permission')
    .select('cidr')
    .where('group_id', '=', groupId);
  return (await query.execute()).map((row) => row.cidr);
}
