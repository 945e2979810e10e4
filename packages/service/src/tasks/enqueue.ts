import { cacheKeysOf } from '../store/cache-keys.ts';
import { codec } from '../store/codec.ts';
import type { Tx } from '../store/store.ts';
import type { TaskKind } from './kind.ts';
import { insertTask, lastPosition, waitingTask } from './rows.ts';

export interface EnqueueOptions<P> {
  /**
   * The queue of the task, for example `cluster:<id>`. Tasks with the same key run one after another, in order of
   * creation. A task with a future date blocks later tasks with the same key, so each such task needs a key of its own.
   */
  readonly key: string;
  /** The parameters of the task, as a JSON value. */
  readonly payload: P;
  /** Service time before which the task does not start. */
  readonly runAt?: Date;
  /**
   * The project for which the task works. The service limits how many tasks of one project run at the same time. Absent
   * for work that no project causes.
   */
  readonly owner?: string;
  /** The engine host where the task must run. If it is undefined, the task runs on any instance. */
  readonly host?: string;
  /**
   * Whether to create no task if a task of the same kind and key has not started yet. When the existing task starts, it
   * also sees the change for which this task would be created.
   */
  readonly unlessWaiting?: boolean;
}

/** Creating a task touches this key, which wakes the workers of this process. */
export const TASKS_TOUCHED = cacheKeysOf('tasks')('all');

/**
 * Creates a task in the transaction of the change that requires the task. The task starts after the commit. Returns the
 * id of the task. With `unlessWaiting`, this can be the id of a task that is already waiting.
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
    owner: task.owner ?? null,
  });
  tx.touch(TASKS_TOUCHED);
  return id;
}
