import { codec } from '../store/codec.ts';
import type { PageRange } from '../store/page.ts';
import type { ReadTx } from '../store/store.ts';
import type { TaskProgress } from './progress.ts';
import { pageOfTasks, type TaskFilter, type TaskRow } from './rows.ts';

/**
 * `SCHEDULED`: starts at a date. `QUEUED`: starts when a worker is free and earlier tasks with the same key have ended.
 * `WAITING`: the current step runs again after a delay.
 */
export const taskStates = ['SCHEDULED', 'QUEUED', 'RUNNING', 'WAITING', 'FAILED'] as const;

/** A task as the operator sees it. */
export interface ListedTask {
  readonly id: string;
  readonly kind: string;
  readonly key: string;
  readonly state: (typeof taskStates)[number];
  /** The name of the current step; undefined before the first step. */
  readonly step: string | undefined;
  readonly created: Date;
  /** The date before which the task does not start. */
  readonly runAt: Date | undefined;
  readonly host: string | undefined;
  /** How often the current step has failed in succession, and its last error. */
  readonly failures: number;
  readonly error: string | undefined;
  readonly progress: TaskProgress | undefined;
}

/** Lists the tasks that have not succeeded, oldest first. */
export async function listTasks(tx: ReadTx, filter: TaskFilter, range: PageRange) {
  const { rows, next } = await pageOfTasks(tx, filter, range);
  return { tasks: rows.map((row) => listed(row, tx.now)), next };
}

/** A task as the store returns it. `leased` and `delayed` are 0 or 1. */
type FoundTask = TaskRow & { readonly leased: number; readonly delayed: number };

function listed(row: FoundTask, now: Date): ListedTask {
  const { progress_unit: unit, progress_done: done, progress_total: total } = row;
  return {
    id: row.id,
    kind: row.kind,
    key: row.key,
    state: stateOf(row, now),
    step: row.step || undefined,
    created: codec.date.read(row.made),
    runAt: row.run_at === 0 ? undefined : codec.date.read(row.run_at),
    host: row.host ?? undefined,
    failures: row.attempts,
    error: row.error ?? undefined,
    progress: unit === null ? undefined : { unit, done: done ?? 0, ...(total === null ? {} : { total }) },
  };
}

function stateOf({ failed, leased, delayed, run_at }: FoundTask, now: Date): ListedTask['state'] {
  if (failed === 1) return 'FAILED';
  if (leased === 1) return 'RUNNING';
  if (delayed === 1) return 'WAITING';
  return run_at > now.getTime() ? 'SCHEDULED' : 'QUEUED';
}
