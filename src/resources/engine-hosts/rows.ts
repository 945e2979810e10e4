import type { ReadTx, Tx } from '../../store/index.ts';

interface Tables {
  engine_host: { id: string; address: string; port: number; token: Uint8Array; last_seen: number };
}

export async function putHost(tx: Tx, row: Tables['engine_host']): Promise<void> {
  const { id, ...columns } = row;
  await tx
    .from<Tables>()
    .insertInto('engine_host')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
}

export function findHosts(tx: ReadTx): Promise<Tables['engine_host'][]> {
  return tx.from<Tables>().selectFrom('engine_host').selectAll().orderBy('id').execute();
}
