import { codec, type ReadTx, type Tx } from '../../store/index.ts';

interface Tables {
  engine_host: HostRow & { last_seen: number };
}

export interface HostRow {
  readonly id: string;
  readonly address: string;
  readonly port: number;
  /** Encrypted. */
  readonly token: Uint8Array;
  /** PEM. */
  readonly authority: string | null;
}

/** Stores how to connect to a host. `seen` is machine time. */
export async function saveHost(tx: Tx, row: HostRow, seen: number): Promise<void> {
  const { id, ...reached } = row;
  const columns = { ...reached, last_seen: codec.int64.write(Math.round(seen)) };
  await tx
    .from<Tables>()
    .insertInto('engine_host')
    .values({ id, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
}

/** The port of a host without an address. */
export const NO_PORT = 0;

/** The hosts with an address. */
export function findHosts(tx: ReadTx): Promise<HostRow[]> {
  const columns = ['id', 'address', 'port', 'token', 'authority'] as const;
  return tx
    .from<Tables>()
    .selectFrom('engine_host')
    .select(columns)
    .where('port', '!=', NO_PORT)
    .orderBy('id')
    .execute();
}
