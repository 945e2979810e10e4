import { cacheKeysOf } from '../store/cache-keys.ts';
import { codec } from '../store/codec.ts';
import type { Tx } from '../store/store.ts';
import type { TaskKind } from './kind.ts';
import { insertTask, lastPosition, waitingTask } from './rows.ts';

export interface EnqueueOptions<P> {
  /**
   * Tasks with one key run one after another, in order of creation: `cluster:<id>`. A task that waits for its
   * date blocks later ones, so dated work needs a separate key.
   */
  readonly key: string;
  /** A JSON value. */
  readonly payload: P;
  /** Service time before which it does not start. */
  readonly runAt?: Date;
  /** The engine host at which it must run; by default any. */
  readonly host?: string;
  /**
   * Does not create a task if one of its kind and key has not started yet, which will cover this change too.
   */
  readonly unlessWaiting?: boolean;
}

/** The cache key that is touched when a task is created; workers of this process listen. */
export const TASKS_TOUCHED = cacheKeysOf('tasks')('all');

/**
 * Creates a task in the transaction of its change; it starts after the commit. Returns its id, or that of the
 * waiting task.
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
