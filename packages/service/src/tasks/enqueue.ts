import { cacheKeysOf } from '../store/cache-keys.ts';
import { codec } from '../store/codec.ts';
import type { Tx } from '../store/store.ts';
import type { TaskKind } from './kind.ts';
import { insertTask, lastPosition, waitingTask } from './rows.ts';

export interface EnqueueOptions<P> {
  /**
   * Tasks with one key run one after another, in the order of their making: `cluster:<id>`. One that waits for its
   * date holds back those made after it, so dated work has a key of its own.
   */
  readonly key: string;
  /** As JSON keeps it. */
  readonly payload: P;
  /** Service time before which it does not start. */
  readonly runAt?: Date;
  /** The only engine host at which it can run; anywhere by default. */
  readonly host?: string;
  /** Not made where one of its kind and key waits that nobody has begun, and that does the same for this change. */
  readonly unlessWaiting?: boolean;
}

/** What is touched when there is something new to do; workers of this process listen. */
export const TASKS_TOUCHED = cacheKeysOf('tasks')('all');

/**
 * Makes a task in the transaction of the change that it serves; it starts once that is committed. Answers its id, or that
 * of the one that waits.
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
