import type { ReadTx } from '../../store/index.ts';
import { presentByProvider, presentRole } from './present.ts';
import type { RoleRow } from './rows.ts';
import { usagesOf } from './usages.ts';

/** A role with what uses it. */
export async function shown(tx: ReadTx, row: RoleRow) {
  return presentRole(row, (await usagesOf(tx, [row.id])).get(row.id) ?? []);
}

export async function listed(tx: ReadTx, rows: readonly RoleRow[]) {
  const ids = rows.map(({ id }) => id);
  return presentByProvider(rows, await usagesOf(tx, ids));
}
