import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { codec } from '../store/codec.ts';
import { fetchPage, type PageRange } from '../store/page.ts';
import { prepared } from '../store/prepared.ts';
import type { ReadTx, Tx } from '../store/store.ts';
import type { TaskProgress } from './progress.ts';

export interface TaskTables {
  task: TaskRow;
  timetable: { name: string; next_run: number };
}

export interface TaskRow {
  id: string;
  kind: string;
  key: string;
  /** Position of the task among the tasks with the same key. */
  position: number;
  payload: string;
  /** Service time at which the task was created. */
  made: number;
  /** Service time before which the task does not start; 0 if it may start at once. */
  run_at: number;
  /** The engine host where the task must run. */
  host: string | null;
  /** The project for which the task works; null if no project causes it. */
  owner: string | null;
  /** The name of the next step; empty for the first step. */
  step: string;
  /** Results of previous steps, by name. */
  results: string;
  /** How much of this step is done, according to the last report. */
  progress_unit: TaskProgress['unit'] | null;
  progress_done: number | null;
  progress_total: number | null;
  /** How often this step has failed in succession. */
  attempts: number;
  /** Machine time (`machineTime` of a transaction) before which the step is not retried. */
  retry_at: number;
  error: string | null;
  /** 1 if the task has failed permanently. */
  failed: number;
  /**
   * Each claim of the task sets a new lease. A worker that has lost the task only has an old lease, and so cannot
   * change the task.
   */
  lease: string | null;
  /** Machine time at which the lease ends. */
  lease_until: number;
}

type ProgressColumns = Pick<TaskRow, 'progress_unit' | 'progress_done' | 'progress_total'>;

/** The progress at the start of a step. */
export const noProgress: ProgressColumns = {
  progress_unit: null,
  progress_done: null,
  progress_total: null,
};

export function progressColumns({ unit, done, total }: TaskProgress): ProgressColumns {
  return { progress_unit: unit, progress_done: done, progress_total: total ?? null };
}

export type NewTask = Pick<
  TaskRow,
  'id' | 'kind' | 'key' | 'position' | 'payload' | 'made' | 'run_at' | 'host' | 'owner'
>;

export const insertTask = prepared((db: Kysely<TaskTables>, task: NewTask) =>
  db.insertInto('task').values({
    id: task.id,
    kind: task.kind,
    key: task.key,
    position: task.position,
    payload: task.payload,
    made: task.made,
    run_at: task.run_at,
    host: task.host,
    owner: task.owner,
    step: '',
    results: '{}',
    ...noProgress,
    attempts: 0,
    retry_at: 0,
    error: null,
    failed: 0,
    lease: null,
    lease_until: 0,
  }),
);

const greatestPosition = prepared((db: Kysely<TaskTables>, of: { key: string }) =>
  db
    .selectFrom('task')
    .select((from) => from.fn.max<number | null>('position').as('position'))
    .where('key', '=', of.key),
);

export async function lastPosition(tx: ReadTx, key: string): Promise<number> {
  return (await greatestPosition.first(tx, { key }))?.position ?? 0;
}

/** Whether a task with this key has neither succeeded nor failed yet. */
export async function hasOpen(tx: ReadTx, key: string): Promise<boolean> {
  const tasks = tx.from<TaskTables>().selectFrom('task').select('id');
  return (await tasks.where('key', '=', key).where('failed', '=', 0).executeTakeFirst()) !== undefined;
}

/**
 * Returns the payload of a task of this kind that has neither succeeded nor failed, and whose key begins with `begin`.
 * `begin` must not contain wildcards.
 */
export async function openPayload<P>(tx: ReadTx, kind: string, begin: string): Promise<P | undefined> {
  const tasks = tx.from<TaskTables>().selectFrom('task').select('payload').where('kind', '=', kind);
  const row = await tasks.where('failed', '=', 0).where('key', 'like', `${begin}%`).executeTakeFirst();
  return row && (JSON.parse(row.payload) as P);
}

/**
 * Returns the id of a task that has not started. Locks the row of the task if the database supports it. A worker that
 * claims the task then waits for this transaction, and sees its changes.
 */
export async function waitingTask(tx: Tx, kind: string, key: string): Promise<string | undefined> {
  const query = tx
    .from<TaskTables>()
    .selectFrom('task')
    .select('id')
    .where('key', '=', key)
    .where('kind', '=', kind)
    .where('failed', '=', 0)
    .where('step', '=', '')
    .where('attempts', '=', 0)
    .where('lease', 'is', null)
    .orderBy('position', 'desc')
    .limit(1);
  return (await (tx.capabilities.rowLocks ? query.forUpdate() : query).executeTakeFirst())?.id;
}

/** Which tasks a worker can run. */
export interface Claimable {
  readonly kinds: readonly string[];
  readonly hosts: readonly string[];
  /** Owners whose tasks must not start now. */
  readonly withoutOwners: readonly string[];
}

/**
 * Returns the tasks that can start now, oldest first. These tasks are due, have no lease, and are not behind another
 * task with the same key.
 */
export async function findClaimable(
  tx: ReadTx,
  of: Claimable,
  limit: number,
  lock: boolean,
): Promise<TaskRow[]> {
  if (of.kinds.length === 0) return [];
  const machineTime = tx.machineTime();
  let query = tx
    .from<TaskTables>()
    .selectFrom('task')
    .selectAll('task')
    .where('failed', '=', 0)
    .where('run_at', '<=', tx.now.getTime())
    .where('retry_at', '<=', machineTime)
    .where('lease_until', '<=', machineTime)
    .where('kind', 'in', of.kinds)
    .where((task) => task.or([task('host', 'is', null), ...of.hosts.map((host) => task('host', '=', host))]))
    .where(isFirstOfKey)
    .orderBy('id')
    .limit(limit);
  if (of.withoutOwners.length > 0)
    query = query.where((task) =>
      task.or([task('owner', 'is', null), task('owner', 'not in', of.withoutOwners)]),
    );
  return (lock && tx.capabilities.rowLocks ? query.forUpdate().skipLocked() : query).execute();
}

const isFirstOfKey: () => Expression<SqlBool> = () => sql<SqlBool>`not exists (
  select 1 from task as earlier
  where earlier.key = task.key and earlier.position < task.position and earlier.failed = 0
)`;

/** Determines which tasks a list contains. */
export interface TaskFilter {
  readonly kind?: string | undefined;
  /** Whether to list failed tasks or tasks that have not failed; both by default. */
  readonly failed?: boolean | undefined;
}

/** Returns the tasks that have not succeeded, oldest first. `next` of a page is the id of its last task. */
export async function pageOfTasks(tx: ReadTx, { kind, failed }: TaskFilter, range: PageRange) {
  const is = (condition: RawBuilder<SqlBool>) => sql<number>`case when ${condition} then 1 else 0 end`;
  let tasks = tx
    .from<TaskTables>()
    .selectFrom('task')
    .selectAll()
    .select([
      is(sql`lease is not null and lease_until > ${tx.machineTime()}`).as('leased'),
      is(sql`retry_at > ${tx.machineTime()}`).as('delayed'),
    ]);
  if (kind !== undefined) tasks = tasks.where('kind', '=', kind);
  if (failed !== undefined) tasks = tasks.where('failed', '=', failed ? 1 : 0);
  return fetchPage(tasks, 'id', range);
}

/** Stores the progress of work that another process does and that a task only supervises. */
export async function storeProgress(
  tx: Tx,
  { kind, key }: { readonly kind: string; readonly key: string },
  progress: TaskProgress,
): Promise<void> {
  await tx
    .from<TaskTables>()
    .updateTable('task')
    .set(progressColumns(progress))
    .where('key', '=', key)
    .where('kind', '=', kind)
    .execute();
}

/** A task for which the worker holds a lease. */
export interface Held {
  readonly id: string;
  readonly lease: string;
}

/** Sets a new lease for a task. */
export async function leaseTask(tx: Tx, { id, lease }: Held, duration: number): Promise<void> {
  await tx
    .from<TaskTables>()
    .updateTable('task')
    .set({ lease, lease_until: sql`${tx.machineTime()} + ${duration}` })
    .where('id', '=', id)
    .execute();
}

/** Renews leases. Returns the leases that the worker still has. */
export async function renewLeases(tx: Tx, held: readonly Held[], duration: number): Promise<Set<string>> {
  const rows = await update(tx, held)
    .set({ lease_until: sql`${tx.machineTime()} + ${duration}` })
    .returning('lease')
    .execute();
  return new Set(rows.flatMap((row) => row.lease ?? []));
}

/** Releases leases, so that workers can claim the tasks at once. */
export async function releaseLeases(tx: Tx, held: readonly Held[]): Promise<void> {
  await update(tx, held).set({ lease: null, lease_until: 0 }).execute();
}

/**
 * Releases all leases and ends all delays. Call this only at the start of a process that has the database for itself.
 * The previous process has ended, and the monotonic times that it stored have no meaning in this process.
 */
export async function releaseAllLeases(tx: Tx): Promise<void> {
  const tasks = tx.from<TaskTables>().updateTable('task');
  await tasks
    .set({ lease: null, lease_until: 0, retry_at: 0 })
    .where((task) => task.or([task('lease', 'is not', null), task('retry_at', '>', 0)]))
    .execute();
}

type Change = Partial<Pick<TaskRow, 'step' | 'results' | 'attempts' | 'error'>> & Partial<ProgressColumns>;

/** Changes a task if the worker still has its lease. Returns whether the worker had the lease. */
export async function changeLeased(tx: Tx, held: Held, change: Change): Promise<boolean> {
  const { numUpdatedRows } = await update(tx, [held]).set(change).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Releases the lease and delays the task by `delay` milliseconds of machine time. */
export async function postponeTask(tx: Tx, held: Held, delay: number, change: Change): Promise<void> {
  await update(tx, [held])
    .set({ ...change, retry_at: sql`${tx.machineTime()} + ${Math.ceil(delay)}`, lease: null, lease_until: 0 })
    .execute();
}

/** Marks a task as failed. Returns whether the worker still had the lease. */
export async function failTask(tx: Tx, held: Held, change: Change): Promise<boolean> {
  const { numUpdatedRows } = await update(tx, [held])
    .set({ ...change, failed: 1, lease: null, lease_until: 0 })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes a finished task if the worker still has the lease. Returns whether the worker had the lease. */
export async function removeLeased(tx: Tx, { id, lease }: Held): Promise<boolean> {
  const tasks = tx.from<TaskTables>().deleteFrom('task');
  const { numDeletedRows } = await tasks.where('id', '=', id).where('lease', '=', lease).executeTakeFirst();
  return numDeletedRows > 0n;
}

function update(tx: Tx, held: readonly Held[]) {
  const ids = held.map(({ id }) => id);
  const leases = held.map(({ lease }) => lease);
  // The condition on the lease is sufficient. The condition on the ids makes the statement fast.
  return tx.from<TaskTables>().updateTable('task').where('id', 'in', ids).where('lease', 'in', leases);
}

export interface NextDue {
  /** Whether there are tasks that have neither succeeded nor failed. */
  readonly isAny: boolean;
  /** Milliseconds of machine time until the next delay of a task ends. */
  readonly retryIn: number | undefined;
  /** Service time at which the next task with a start date starts. */
  readonly runAt: Date | undefined;
}

/**
 * Returns when the next task becomes due, according to the store. Every worker calls this function once a second, and
 * the table contains a waiting task for each snapshot and several for each cluster. Each query therefore reads a single
 * entry of an index.
 */
export async function nextDue(tx: ReadTx): Promise<NextDue> {
  const now = tx.now.getTime();
  const machineTime = tx.machineTime();
  const open = () => tx.from<TaskTables>().selectFrom('task').where('failed', '=', 0);
  const row = await tx
    .from<TaskTables>()
    .selectNoFrom((of) => [
      of.exists(open().select('id')).as('any'),
      open()
        .select(({ fn }) => fn.min('retry_at').as('first'))
        .where('retry_at', '>', machineTime)
        .as('retry_at'),
      machineTime.as('machine_time'),
      open()
        .select(({ fn }) => fn.min('run_at').as('first'))
        .where('run_at', '>', now)
        .as('run_at'),
    ])
    .executeTakeFirstOrThrow();
  return {
    isAny: Boolean(row.any),
    retryIn: row.retry_at === null ? undefined : row.retry_at - row.machine_time,
    runAt: row.run_at === null ? undefined : new Date(row.run_at),
  };
}

/** Stores the first run of a recurring task, unless it is already stored. */
export async function addRecurrence(tx: Tx, name: string, next: Date): Promise<void> {
  await tx
    .from<TaskTables>()
    .insertInto('timetable')
    .values({ name, next_run: codec.date.write(next) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function moveRecurrence(tx: Tx, name: string, next: Date): Promise<void> {
  const timetable = tx.from<TaskTables>().updateTable('timetable');
  await timetable
    .set({ next_run: codec.date.write(next) })
    .where('name', '=', name)
    .execute();
}

export async function nextRun(tx: ReadTx, name: string): Promise<Date> {
  const timetable = tx.from<TaskTables>().selectFrom('timetable').select('next_run');
  const { next_run } = await timetable.where('name', '=', name).executeTakeFirstOrThrow();
  return codec.date.read(next_run);
}
