import { sql } from 'kysely';
import { codec, type ReadTx, type Tx } from '../../store/index.ts';

interface Tables {
  engine_host: HostRow & { last_seen: number };
  host_keeper: { host: string; keeper: string; kept_until: number };
}

export interface HostRow {
  readonly id: string;
  readonly address: string;
  readonly port: number;
  /** Encrypted token of the host. */
  readonly token: Uint8Array;
  /** The certificate of the authority, in PEM form. */
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

/** The value of `port` for a host without an address. */
export const NO_PORT = 0;

/** Returns the hosts with an address. */
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

/**
 * The keeper of a host is the instance that does the periodic work for the clusters of the host: measurements, alerts,
 * search indexes and repairs. Without keepers, each instance would do this work for all clusters.
 *
 * Makes an instance the keeper of its own host, whose id is also the id of the instance. Also makes it the keeper of
 * hosts whose keeper has not renewed its lease. Renews the leases that the instance already has. Returns the hosts that
 * it now keeps.
 */
export async function keepHosts(
  tx: Tx,
  {
    keeper,
    hosts,
    lease,
  }: { readonly keeper: string; readonly hosts: readonly string[]; readonly lease: number },
): Promise<string[]> {
  const now = tx.machineTime();
  const kept_until = sql<number>`${now} + ${lease}`;
  const rows = await tx
    .from<Tables>()
    .insertInto('host_keeper')
    .values(hosts.map((host) => ({ host, keeper, kept_until })))
    .onConflict((conflict) =>
      conflict
        .column('host')
        .doUpdateSet(({ ref }) => ({
          keeper: ref('excluded.keeper'),
          kept_until: ref('excluded.kept_until'),
        }))
        .where(({ eb, or }) =>
          or([
            eb('host_keeper.host', '=', keeper),
            eb('host_keeper.keeper', '=', keeper),
            eb('host_keeper.kept_until', '<', now),
          ]),
        ),
    )
    .returning('host')
    .execute();
  return rows.map(({ host }) => host);
}

/** Ends the leases of an instance that stops. */
export async function releaseHosts(tx: Tx, keeper: string): Promise<void> {
  await tx
    .from<Tables>()
    .updateTable('host_keeper')
    .set({ kept_until: 0 })
    .where('keeper', '=', keeper)
    .execute();
}
