import { codec, type ReadTx, type Tx } from '../../../store/index.ts';

interface Tables {
  autoscaling: { cluster_id: string; changed: number | null; refused: string };
}

/** The state of a cluster's autoscaling. */
export interface ScalingRow {
  readonly clusterId: string;
  /** Time of the last change of size. */
  readonly changed: Date | undefined;
  /** The `generation` of the cluster for which an event about rejected scaling was last recorded, by event type. */
  readonly refused: Readonly<Record<string, number>>;
}

const refused = codec.json<ScalingRow['refused']>();

export async function findScaling(tx: ReadTx, clusterId: string): Promise<ScalingRow> {
  const query = tx.from<Tables>().selectFrom('autoscaling').selectAll().where('cluster_id', '=', clusterId);
  const row = await query.executeTakeFirst();
  if (row === undefined) return { clusterId, changed: undefined, refused: {} };
  return { clusterId, changed: codec.optionalDate.read(row.changed), refused: refused.read(row.refused) };
}

export async function saveScaling(tx: Tx, row: ScalingRow): Promise<void> {
  const columns = { changed: codec.optionalDate.write(row.changed), refused: refused.write(row.refused) };
  const insert = tx
    .from<Tables>()
    .insertInto('autoscaling')
    .values({ cluster_id: row.clusterId, ...columns });
  await insert.onConflict((of) => of.column('cluster_id').doUpdateSet(columns)).execute();
}
