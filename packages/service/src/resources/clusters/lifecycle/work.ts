import type { Tx } from '../../../store/index.ts';
import { enqueue, type TaskKind } from '../../../tasks/index.ts';
import type { ClusterPlace } from '../rows.ts';

/** The payload that all tasks about a cluster have in common. */
export interface ClusterWork {
  readonly clusterId: string;
}

export interface WorkOptions {
  /**
   * Name of a separate queue. By default, all tasks of a cluster have the same queue and run in order. A task that
   * waits for a date or for lost nodes has its own queue, such as `repair`. It then blocks no other tasks.
   */
  readonly queue?: string;
  /** Earliest start, in service time. */
  readonly runAt?: Date;
  /** Whether any instance may run the task. Set this for tasks that call no node. */
  readonly onAnyInstance?: boolean;
  /** Whether to skip the task if an equal task is waiting. */
  readonly unlessWaiting?: boolean;
}

/** Returns the queue key of work on a cluster. */
export function workKey(clusterId: string, queue?: string): string {
  return queue === undefined ? `cluster:${clusterId}` : `cluster:${clusterId}:${queue}`;
}

/** Enqueues a task for a cluster; `details` is the rest of its payload. */
export async function enqueueWork<P extends ClusterWork>(
  tx: Tx,
  kind: Pick<TaskKind<P, never>, 'kind'>,
  { id, groupId, host }: ClusterPlace,
  details: Omit<P, 'clusterId'>,
  { queue, runAt, onAnyInstance = false, unlessWaiting = false }: WorkOptions = {},
): Promise<void> {
  await enqueue(tx, kind, {
    key: workKey(id, queue),
    owner: groupId,
    payload: { clusterId: id, ...details } as P,
    ...(runAt === undefined ? {} : { runAt }),
    ...(onAnyInstance ? {} : { host }),
    unlessWaiting,
  });
}
