import type { Tx } from '../../../store/index.ts';
import { enqueue, type TaskKind } from '../../../tasks/index.ts';
import type { ClusterPlace } from '../rows.ts';

/** What a task about a cluster is told at least. */
export interface ClusterWork {
  readonly clusterId: string;
}

export interface WorkOptions {
  /**
   * Work of one cluster is done in the order of its making. What waits for a date, or for nodes that are lost, stands
   * in a line of its own, so that it holds back nothing: `repair`.
   */
  readonly beside?: string;
  /** Service time before which it does not start. */
  readonly runAt?: Date;
  /** Done by any instance: it speaks to no node. */
  readonly anywhere?: boolean;
  /** Not where the same work waits already. */
  readonly unlessWaiting?: boolean;
}

/** Lets a task do something about a cluster; `details` is what its payload holds beside the cluster. */
export async function enqueueWork<P extends ClusterWork>(
  tx: Tx,
  kind: Pick<TaskKind<P, never>, 'kind'>,
  { id, host }: ClusterPlace,
  details: Omit<P, 'clusterId'>,
  { beside, runAt, anywhere = false, unlessWaiting = false }: WorkOptions = {},
): Promise<void> {
  await enqueue(tx, kind, {
    key: beside === undefined ? `cluster:${id}` : `cluster:${id}:${beside}`,
    payload: { clusterId: id, ...details } as P,
    ...(runAt === undefined ? {} : { runAt }),
    ...(anywhere ? {} : { host }),
    unlessWaiting,
  });
}
