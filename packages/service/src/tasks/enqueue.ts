import { cacheKeysOf } from '../store/cache-keys.ts';
import { codec } from '../store/codec.ts';
import type { Tx } from '../store/store.ts';
import type { TaskKind } from './kind.ts';
import { insertTask, lastPosition, waitingTask } from './rows.ts';

export interface EnqueueOptions<P> {
  /**
   * Tasks with the same key run one after another, in order of creation, for example `cluster:<id>`. A task that waits
   * for its date blocks later ones, so dated work needs a key of its own kind.
   */
  readonly key: string;
  /** A JSON value. */
  readonly payload: P;
  /** Service time before which it does not start. */
  readonly runAt?: Date;
  /** The engine host on which it must run; by default any. */
  readonly host?: string;
  /**
   * Do not create a task if one of the same kind and key has not started yet, since that one will also cover this
   * change.
   */
  readonly unlessWaiting?: boolean;
}

/** The cache key touched when a task is created, which wakes workers of this process. */
export const TASKS_TOUCHED = cacheKeysOf('tasks')('all');

/**
 * Creates a task in the transaction of its change; it starts after the commit. Returns its id, or with `unlessWaiting`
 * that of the waiting task.
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
