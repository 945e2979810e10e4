import type { MachineClock, ServiceClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import { repeat } from '@portolan/foundation/repeat';
import type { ReadTx, Store, Tx } from '../store/store.ts';
import { enqueue } from './enqueue.ts';
import type { TaskKind } from './kind.ts';
import { addRecurrence, hasOpen, moveRecurrence, nextRun } from './rows.ts';

/**
 * A task that recurs by service time. The time of the next run is stored. If several runs were missed, the task runs
 * once for all of them.
 */
export interface TimetableEntry {
  /** The name of the entry. It must be unique and never change. */
  readonly name: string;
  readonly kind: string;
  readonly payload: unknown;
  /** Returns the first run after a date. */
  next(after: Date): Date;
}

export interface TimetableOptions {
  readonly store: Store;
  readonly clock: ServiceClock;
  readonly machine: MachineClock;
  readonly log: Log;
  readonly entries: readonly TimetableEntry[];
}

export interface Timetable {
  /** Resolves when all due tasks have been created. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** The latest date that JavaScript can represent. */
const FAR_AWAY = 8.64e15;
/** Pause after a store error. */
const RETRY_MS = 1000;

export function recurring<P>(entry: {
  name: string;
  kind: Pick<TaskKind<P, never>, 'kind'>;
  payload: P;
  next(after: Date): Date;
}): TimetableEntry {
  return { ...entry, kind: entry.kind.kind };
}

/** Returns a schedule with runs at whole multiples of `milliseconds`, in service time. */
export function every(milliseconds: number): (after: Date) => Date {
  return (after) => new Date((Math.floor(after.getTime() / milliseconds) + 1) * milliseconds);
}

export async function startTimetable(options: TimetableOptions): Promise<Timetable> {
  const { store, clock, machine, log, entries } = options;
  await store.write((tx) => addMissing(tx, entries));
  let next = new Date(FAR_AWAY);
  const runs = repeat({
    machine,
    first: 0,
    async run() {
      next = await runDue(store, entries);
    },
    interval: () => clock.until(next),
    backOff: { first: RETRY_MS, greatest: RETRY_MS },
    onError: (error) =>
      log.error({ reason: String(error) }, 'the schedule of recurring tasks could not be read'),
  });
  clock.onChange(() => runs.wake());
  return runs;
}

async function addMissing(tx: Tx, entries: readonly TimetableEntry[]): Promise<void> {
  const names = new Set(entries.map((entry) => entry.name));
  if (names.size < entries.length) throw new Error('Two entries of the timetable have the same name');
  for (const { name, next } of entries) await addRecurrence(tx, name, next(tx.now));
}

/** Creates the due tasks. Returns when the next task is due. */
async function runDue(store: Store, entries: readonly TimetableEntry[]): Promise<Date> {
  for (const entry of entries) {
    const now = await store.read((tx) => stateOf(tx, entry));
    // The transaction checks again, since another instance may have created the task first.
    if (now !== 'waiting') await store.write((tx) => runEntry(tx, entry));
  }
  return store.read(async (tx) => {
    const times = await Promise.all(entries.map((entry) => nextRun(tx, entry.name)));
    return new Date(Math.min(FAR_AWAY, ...times.map(Number)));
  });
}

async function runEntry(tx: Tx, entry: TimetableEntry): Promise<void> {
  const { name, kind, payload } = entry;
  const state = await stateOf(tx, entry);
  if (state === 'waiting') return;
  await moveRecurrence(tx, name, entry.next(tx.now));
  const key = `timetable:${name}`;
  // Skip this run if the previous run is still in progress.
  if (state === 'due' && !(await hasOpen(tx, key))) await enqueue(tx, { kind }, { key, payload });
}

/**
 * Returns the state of a recurring task. `misplaced` means that the stored time of the next run is too late, because
 * the clock was set back or the timetable entry was changed.
 */
async function stateOf(tx: ReadTx, entry: TimetableEntry): Promise<'due' | 'waiting' | 'misplaced'> {
  const next = await nextRun(tx, entry.name);
  if (next <= tx.now) return 'due';
  return next > entry.next(tx.now) ? 'misplaced' : 'waiting';
}
