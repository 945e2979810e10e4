import type { Selectable } from 'kysely';
import { codec, type ReadTx, type Tx } from '../../../store/index.ts';
import type { Position } from '../model/oplog/segment.ts';

interface Tables {
  backup_oplog_copy: { cluster_id: string; region: string; document: string };
}

interface OplogCopyFacts {
  /** Whether a copy task is enqueued and has not started. */
  readonly asked?: boolean;
  /** The position up to which each archived span is copied, by span id. */
  readonly through: Readonly<Record<string, Position>>;
}

/**
 * The copy of a cluster's archived oplog in a region. The row exists while the region may contain objects of the copy.
 */
export interface OplogCopyRow {
  readonly clusterId: string;
  /** The region, for example `AWS/EU_WEST_1`. */
  readonly region: string;
  readonly facts: OplogCopyFacts;
}

const facts = codec.json<OplogCopyFacts>();

function readOplogCopyRow(row: Selectable<Tables['backup_oplog_copy']>): OplogCopyRow {
  return { clusterId: row.cluster_id, region: row.region, facts: facts.read(row.document) };
}

export async function oplogCopiesOf(tx: ReadTx, clusterId: string): Promise<OplogCopyRow[]> {
  const query = tx.from<Tables>().selectFrom('backup_oplog_copy').selectAll();
  return (await query.where('cluster_id', '=', clusterId).orderBy('region').execute()).map(readOplogCopyRow);
}

export async function oplogCopyIn(
  tx: ReadTx,
  clusterId: string,
  region: string,
): Promise<OplogCopyRow | undefined> {
  return (await oplogCopiesOf(tx, clusterId)).find((row) => row.region === region);
}

/** Inserts or replaces the row. */
export async function putOplogCopy(
  tx: Tx,
  { clusterId, region, facts: document }: OplogCopyRow,
): Promise<void> {
  const columns = { document: facts.write(document) };
  await tx
    .from<Tables>()
    .insertInto('backup_oplog_copy')
    .values({ cluster_id: clusterId, region, ...columns })
    .onConflict((conflict) => conflict.columns(['cluster_id', 'region']).doUpdateSet(columns))
    .execute();
}

export async function deleteOplogCopy(tx: Tx, { clusterId, region }: OplogCopyRow): Promise<void> {
  const rows = tx.from<Tables>().deleteFrom('backup_oplog_copy');
  await rows.where('cluster_id', '=', clusterId).where('region', '=', region).execute();
}
