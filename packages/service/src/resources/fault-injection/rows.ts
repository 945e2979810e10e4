import type { Selectable } from 'kysely';
import { codec, type ReadTx, type Tx } from '../../store/index.ts';
import type { FaultRule } from './schema.ts';

interface Tables {
  declared_fault: { id: string; created: number; rule: string; calls: number; met: number };
}

export interface FaultRow {
  readonly id: string;
  readonly created: Date;
  readonly rule: FaultRule;
  readonly calls: number;
  readonly met: number;
}

const rule = codec.json<FaultRule>();

const readRow = (row: Selectable<Tables['declared_fault']>): FaultRow => ({
  ...row,
  created: codec.date.read(row.created),
  rule: rule.read(row.rule),
});

export async function insertFault(tx: Tx, row: FaultRow): Promise<void> {
  const columns = { ...row, created: codec.date.write(row.created), rule: rule.write(row.rule) };
  await tx.from<Tables>().insertInto('declared_fault').values(columns).execute();
}

/** Returns all declared faults, oldest first. */
export async function allFaults(tx: ReadTx): Promise<readonly FaultRow[]> {
  const rows = await tx.from<Tables>().selectFrom('declared_fault').selectAll().orderBy('id').execute();
  return rows.map(readRow);
}

export async function faultById(tx: ReadTx, id: string): Promise<FaultRow | undefined> {
  const query = tx.from<Tables>().selectFrom('declared_fault').selectAll().where('id', '=', id);
  const row = await query.executeTakeFirst();
  return row && readRow(row);
}

export async function countFault(tx: Tx, { id, calls, met }: FaultRow): Promise<void> {
  await tx.from<Tables>().updateTable('declared_fault').set({ calls, met }).where('id', '=', id).execute();
}

export async function removeFault(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('declared_fault').where('id', '=', id).execute();
}
