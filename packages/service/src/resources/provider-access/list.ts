import type { ReadTx } from '../../store/index.ts';
import { presentByProvider, presentRole } from './present.ts';
import type { RoleRow } from './rows.ts';
import { usagesOf } from './usages.ts';

export async function presentWithUsages(tx: ReadTx, row: RoleRow) {
  return presentRole(row, (await usagesOf(tx, [row.id])).get(row.id) ?? []);
}

export async function presentAll(tx: ReadTx, rows: readonly RoleRow[]) {
  const ids = rows.map(({ id }) => id);
  return presentByProvider(rows, await usagesOf(tx, ids));
}
