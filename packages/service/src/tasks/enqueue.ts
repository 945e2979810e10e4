import { cacheKeysOf } from '../store/cache-keys.ts';
import { codec } from '../store/codec.ts';
import type { Tx } from '../store/store.ts';
import type { TaskKind } from './kind.ts';
import { insertTask, lastPosition, waitingTask } from './rows.ts';

export interface EnqueueOptions<P> {
  /**
   * The queue of the task, for example `cluster:<id>`. Tasks with the same key run one after another, in order of
   * creation. A task with a future date blocks later tasks with the same key, so such tasks need keys of their own.
   */
  readonly key: string;
  /** The parameters of the task, as a JSON value. */
  readonly payload: P;
  /** Service time before which the task does not start. */
  readonly runAt?: Date;
  /** The engine host where the task must run; any by default. */
  readonly host?: string;
  /**
   * Whether to create no task if one of the same kind and key has not started yet. When that task starts, it will also
   * see this change.
   */
  readonly unlessWaiting?: boolean;
}

/** This key is touched when a task is created, which wakes the workers of this process. */
export const TASKS_TOUCHED = cacheKeysOf('tasks')('all');

/**
 * Creates a task in the transaction of the change that requires it. The task starts after the commit. Returns its id;
 * with `unlessWaiting`, possibly the id of a task that is already waiting.
 */
export async function enqueue<P>(
  tx: Tx,
  kind: Pick<TaskKind<P, never>, 'kind'>,
  task: EnqueueOptions<P>,
): Promise<string> {
  const waiting = task.unlessWaiting === true ? await waitingTask(tx, kind.kind, task.key) : undefined;
  if (waiting !== undefined) return waiting;
  const id = tx.id();
  await insertTask.run(tx, {
    id,
    kind: kind.kind,
    key: task.key,
    position: (await lastPosition(tx, task.key)) + 1,
    payload: codec.json<P>().write(task.payload),
    made: codec.date.write(tx.now),
    run_at: task.runAt === undefined ? 0 : codec.date.write(task.runAt),
    host: task.host ?? null,
  });
  tx.touch(TASKS_TOUCHED);
  return id;
}
