import type { Tx } from '../../../store/index.ts';
import { enqueue, type TaskKind } from '../../../tasks/index.ts';
import type { ClusterPlace } from '../rows.ts';

/** Payload common to tasks about a cluster. */
export interface ClusterWork {
  readonly clusterId: string;
}

export interface WorkOptions {
  /**
   * Name of a separate queue. Tasks of one cluster run in order; those that wait for a date or for lost nodes have
   * their own queues, such as `repair`, so that they block nothing.
   */
  readonly queue?: string;
  /** Earliest start, in service time. */
  readonly runAt?: Date;
  /** Whether any instance may run it, since it calls no node. */
  readonly onAnyInstance?: boolean;
  /** Skips the task if the same work is already waiting. */
  readonly unlessWaiting?: boolean;
}

/** The key of work on a cluster. */
export function workKey(clusterId: string, queue?: string): string {
  return queue === undefined ? `cluster:${clusterId}` : `cluster:${clusterId}:${queue}`;
}

/** Enqueues a task for a cluster; `details` is the rest of its payload. */
export async function enqueueWork<P extends ClusterWork>(
  tx: Tx,
  kind: Pick<TaskKind<P, never>, 'kind'>,
  { id, host }: ClusterPlace,
  details: Omit<P, 'clusterId'>,
  { queue, runAt, onAnyInstance = false, unlessWaiting = false }: WorkOptions = {},
): Promise<void> {
  await enqueue(tx, kind, {
    key: workKey(id, queue),
    payload: { clusterId: id, ...details } as P,
    ...(runAt === undefined ? {} : { runAt }),
    ...(onAnyInstance ? {} : { host }),
    unlessWaiting,
  });
}
