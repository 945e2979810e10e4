import { pauseAfter } from '@portolan/foundation/back-off';
import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import { withoutPaths } from '@portolan/foundation/paths-in-text';
import type { Random } from '@portolan/foundation/random';
import { asError } from '@portolan/foundation/thrown';
import { codec } from '../store/codec.ts';
import type { Store, Tx } from '../store/store.ts';
import { TASKS_TOUCHED } from './enqueue.ts';
import { NotYet, PermanentFailure, type TaskContext, type TaskKind, type TaskStep } from './kind.ts';
import { LeaseLost } from './leases.ts';
import { ProgressWriter } from './progress.ts';
import {
  changeLeased,
  failTask,
  type Held,
  noProgress,
  postponeTask,
  progressColumns,
  releaseLeases,
  removeLeased,
  type TaskRow,
} from './rows.ts';

export interface Run<S> {
  readonly kind: TaskKind<never, S>;
  readonly row: TaskRow;
  readonly held: Held;
  readonly services: S;
  readonly store: Store;
  readonly machine: MachineClock;
  readonly random: Random;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly injectFault?: InjectWorkFault | undefined;
}

/** A task that is being run. */
interface Running<S> extends Run<S> {
  readonly progress: ProgressWriter;
}

/** Called before a step does its work outside of the store. If the function throws, the step fails. */
export type InjectWorkFault = (work: { readonly kind: string; readonly payload: unknown }) => Promise<void>;

type Context<S> = TaskContext<S, never>;
type Results = Readonly<Record<string, unknown>>;

const DEFAULT_ATTEMPTS = 20;
/** Delay between two attempts of a step, in milliseconds. */
const BACK_OFF = { first: 100, greatest: 30_000 };
/** Maximum length of a stored error message. */
const MESSAGE_LENGTH = 1000;

const results = codec.json<Results>();

/** Runs a leased task from its current step until the task ends or fails. Never throws. */
export async function runTask<S>(given: Run<S>): Promise<void> {
  const { kind, row, signal, store, held } = given;
  const progress = new ProgressWriter(given.machine, (reported) =>
    store.write((tx) => changeLeased(tx, held, progressColumns(reported))),
  );
  const run = { ...given, progress };
  let reached = row.step === '' ? 0 : kind.steps.findIndex((step) => step.name === row.step);
  let context = contextOf(run, results.read(row.results), {
    attempt: row.attempts + 1,
    lastError: row.error,
  });
  try {
    if (reached < 0) throw new PermanentFailure(`${kind.kind} has no step "${row.step}"`);
    for (let step = kind.steps[reached]; step !== undefined; step = kind.steps[++reached]) {
      if (signal.aborted) throw signal.reason;
      const known = await runStep(run, context, step, kind.steps[reached + 1]);
      context = contextOf(run, known, { attempt: 1, lastError: null });
    }
  } catch (error) {
    await settle(run, context, error).catch((reason: Error) => {
      // Only log the error, because the task resumes when its lease has expired.
      run.log.error({ reason: reason.message }, 'the result of a task could not be stored');
    });
  }
}

function contextOf<S>(
  run: Running<S>,
  known: Results,
  { attempt, lastError }: { readonly attempt: number; readonly lastError: string | null },
): Context<S> {
  const { row, services, store, log, signal, progress } = run;
  const { id, key } = row;
  const payload = codec.json<never>().read(row.payload);
  const { report } = progress;
  return {
    ...{ id, key, payload, services, store, log, signal, attempt },
    results: known,
    lastError: lastError ?? undefined,
    progress: report,
  };
}

/** Runs one step. Returns the results of all steps so far. */
async function runStep<S>(
  run: Running<S>,
  context: Context<S>,
  step: TaskStep<never, S>,
  next: TaskStep<never, S> | undefined,
): Promise<Results> {
  if (step.run) await run.injectFault?.({ kind: run.kind.kind, payload: context.payload });
  const result = await step.run?.(context);
  await run.progress.take();
  const known = results.write({ ...context.results, [step.name]: result });
  await run.store.write(async (tx) => {
    if (!(await storeResult(tx, run.held, known, next?.name))) throw new LeaseLost();
    await step.commit?.(tx, context, result);
  });
  return results.read(known);
}

function storeResult(tx: Tx, held: Held, known: string, next: string | undefined): Promise<boolean> {
  if (next !== undefined)
    return changeLeased(tx, held, { step: next, results: known, attempts: 0, error: null, ...noProgress });
  // Wake the workers, since the next task with the same key may start.
  tx.touch(TASKS_TOUCHED);
  return removeLeased(tx, held);
}

/** Decides what follows an error of a step: a delay, a retry, or the failure of the task. */
async function settle<S>(run: Running<S>, context: Context<S>, thrown: unknown): Promise<void> {
  const { store, held, kind, signal, log, progress } = run;
  const error = asError(thrown);
  const last = await progress.take();
  const reached = last === undefined ? {} : progressColumns(last);
  if (error instanceof LeaseLost || signal.reason instanceof LeaseLost) {
    log.warn({}, 'a task was lost to another worker');
  } else if (signal.aborted) {
    await store.write((tx) => releaseLeases(tx, [held]));
  } else if (error instanceof NotYet) {
    await store.write((tx) => postponeTask(tx, held, error.delay, { error: null, ...reached }));
  } else {
    const failure = { error, change: { ...failureColumns(context, error), ...reached } };
    const isFinal = error instanceof PermanentFailure || context.attempt >= attemptsOf(kind, error);
    await (isFinal ? fail(run, context, failure) : rest(run, context, failure));
  }
}

function attemptsOf<S>({ attempts = DEFAULT_ATTEMPTS }: TaskKind<never, S>, error: Error): number {
  return typeof attempts === 'number' ? attempts : attempts(error);
}

/** The failure of a step, and the change that records it in the task's row. */
interface Failure {
  readonly error: Error;
  readonly change: ReturnType<typeof failureColumns>;
}

async function fail<S>(run: Run<S>, context: Context<S>, failure: Failure): Promise<void> {
  const { error, change } = failure;
  try {
    await run.store.write(async (tx) => {
      if (!(await failTask(tx, run.held, change))) return;
      await run.kind.onFailed?.(tx, context, error, withoutPaths(error.message));
      tx.touch(TASKS_TOUCHED);
    });
    run.log.error({ reason: error.message }, 'a task has failed');
  } catch (reason) {
    // If `onFailed` throws, retry later. The task must not be marked as failed before `onFailed` has succeeded.
    const own = asError(reason);
    await rest(run, context, { error: own, change: { ...change, ...failureColumns(context, own) } });
  }
}

async function rest<S>(run: Run<S>, context: Context<S>, { error, change }: Failure): Promise<void> {
  const backOff = run.kind.backOff ?? BACK_OFF;
  const delay = pauseAfter(context.attempt, { ...backOff, random: run.random });
  await run.store.write((tx) => postponeTask(tx, run.held, delay, change));
  run.log.warn({ reason: error.message, attempt: context.attempt, delay }, 'a step of a task has failed');
}

function failureColumns<S>(context: Context<S>, error: Error) {
  return { attempts: context.attempt, error: error.message.slice(0, MESSAGE_LENGTH) };
}
