import { codec, type ReadTx, type Tx } from '../../store/index.ts';

interface Tables {
  engine_host: { id: string; address: string; port: number; token: Uint8Array; last_seen: number };
}

export interface HostRow {
  readonly id: string;
  readonly address: string;
  readonly port: number;
  /** Sealed. */
  readonly token: Uint8Array;
}

/** Writes where a host is reached. `seen` is machine time. */
export async function putHost(tx: Tx, row: HostRow, seen: number): Promise<void> {
  const { id, address, port, token } = row;
  const columns = { address, port, token, last_seen: codec.int64.write(Math.round(seen)) };
  await tx
    .from<Tables>()
    .insertInto('engine_host')
    .values({ id, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
}

export function findHosts(tx: ReadTx): Promise<HostRow[]> {
  const hosts = tx.from<Tables>().selectFrom('engine_host').select(['id', 'address', 'port', 'token']);
  return hosts.orderBy('id').execute();
}
