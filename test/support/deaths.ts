import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { basename, join, parse } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';

/**
 * Deaths at chosen moments for the service and the engine host of a test, which load this file before their own: while
 * a plan stands in the folder that `DEATHS` names, a process counts what it does to files of backups, to search indexes,
 * and to the service's database; before the step that the plan names it ends, as by SIGKILL. So every step can be the
 * last one.
 */

export type Role = 'service' | 'host';

/** Threads of the engine host that can end alone: the one that follows search indexes, and those that search. */
export type Thread = 'search-thread' | 'search-node-thread';

/**
 * Who ends, and before which step: the one of this number, from 1 on, or the first that is called so. With `fails` nobody
 * ends: that step fails, as with a disk that is broken or full. With a thread, its steps alone are counted, and it ends
 * alone.
 */
export type Plan = {
  readonly role: Role;
  readonly fails?: 'EIO' | 'ENOSPC';
  readonly thread?: Thread;
} & ({ readonly at: number } | { readonly before: string });

/** The environment in which processes load this file and look into `folder` for their plan. */
export const withDeaths = (folder: string) => ({
  NODE_OPTIONS: `--import=${pathToFileURL(import.meta.filename)}`,
  DEATHS: folder,
});

const planIn = (folder: string) => join(folder, 'plan.json');
const stepsIn = (folder: string) => join(folder, 'steps');

export function planDeath(folder: string, plan: Plan): void {
  rmSync(stepsIn(folder), { force: true });
  // Whole, as others look for it all the time.
  const draft = `${planIn(folder)}.draft`;
  writeFileSync(draft, JSON.stringify(plan));
  renameSync(draft, planIn(folder));
}

/** Nobody dies any more; answers the steps that were done, the last one of them perhaps not. */
export function endPlan(folder: string): string[] {
  rmSync(planIn(folder), { force: true });
  return existsSync(stepsIn(folder)) ? readFileSync(stepsIn(folder), 'utf8').trimEnd().split('\n') : [];
}

/** Whether a process has died according to the plan. */
export const hasDied = (folder: string): boolean => !existsSync(planIn(folder));

type Call = (...parameters: unknown[]) => unknown;
type Functions = Record<string, Call>;

/** A search of search indexes, where a search node alone is to end. */
const SEARCH = 'search';

/** Files of backups: the snapshot store, and what is made on the way there and back. */
const FILES = /\/(snapshots|temporary)\/|cluster\.db/;

if (process.env.DEATHS !== undefined && process.env.NODE_OPTIONS?.includes(basename(import.meta.filename))) {
  const require = createRequire(import.meta.url);
  const own = process.env.DEATHS;
  const files = require('node:fs') as Functions;
  const { appendFileSync, readFileSync: read, unlinkSync: remove, existsSync: exists } = require('node:fs');
  const originals = { append: appendFileSync, read, remove, exists };
  const role = (process.env.DEATHS_ROLE ?? 'service') as Role;

  /** Nothing where it is no thread that could end alone. */
  const inThread = () => (isMainThread ? undefined : parse(process.argv[1] ?? '').name);

  /** Nothing where the plan was taken back meanwhile, or another process has carried it out. */
  const ifThere = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };

  const step = (what: string): void => {
    if (!originals.exists(planIn(own))) return;
    const text = ifThere(() => originals.read(planIn(own), 'utf8'));
    if (text === undefined) return;
    const plan = JSON.parse(text) as Plan;
    if (plan.role !== role || (plan.thread !== undefined && plan.thread !== inThread())) return;
    if (plan.thread === undefined && what === SEARCH) return;
    originals.append(stepsIn(own), `${what}\n`);
    const steps: string = ifThere(() => originals.read(stepsIn(own), 'utf8')) ?? '';
    const done = steps.split('\n').length - 1;
    if ('at' in plan ? done < plan.at : !what.startsWith(plan.before)) return;
    // What is done cannot fail any more.
    if (plan.fails !== undefined && what.startsWith('COMMITTED')) return;
    const isOurs = ifThere(() => {
      originals.remove(planIn(own));
      return true;
    });
    if (isOurs !== true) return;
    if (plan.fails !== undefined) throw failureOf(plan.fails, what);
    if (plan.thread !== undefined) process.exit(1);
    process.kill(process.pid, 'SIGKILL');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };

  const counted = (functions: Functions, name: string, isLater: boolean): void => {
    const original = functions[name];
    if (original === undefined) return;
    functions[name] = (...parameters) => {
      const [path] = parameters;
      const writes = !/^open/.test(name) || /[wa+]/.test(String(parameters[1] ?? 'r'));
      try {
        if (writes && FILES.test(String(path))) step(`${name} ${basename(String(path))}`);
      } catch (error) {
        if (isLater) return Promise.reject(error);
        throw error;
      }
      return original.apply(functions, parameters);
    };
  };
  for (const name of ['open', 'rename', 'rm', 'mkdir', 'copyFile'])
    counted(require('node:fs/promises') as Functions, name, true);
  for (const name of ['openSync', 'renameSync', 'rmSync', 'mkdirSync']) counted(files, name, false);

  const sqlite: { DatabaseSync: typeof DatabaseSync; backup: Call } = require('node:sqlite');
  const { backup } = sqlite;
  sqlite.backup = (...parameters) => {
    step('backup');
    return backup(...parameters);
  };
  sqlite.DatabaseSync = class extends sqlite.DatabaseSync {
    readonly #file: string;
    #writes = false;

    constructor(...parameters: ConstructorParameters<typeof DatabaseSync>) {
      super(...parameters);
      this.#file = basename(String(parameters[0]));
      if (FILES.test(String(parameters[0]))) step(`database ${this.#file}`);
    }

    /** Search indexes are written by hand; those who read them commit too, which is not counted. */
    override exec(sql: string): void {
      const writes = this.#file === 'search.db' && this.#writes;
      if (/^BEGIN|^COMMIT|^ROLLBACK/.test(sql)) this.#writes = sql === 'BEGIN IMMEDIATE';
      const counts = writes && sql === 'COMMIT';
      if (this.#file === 'search.db' && sql === 'BEGIN') step(SEARCH);
      if (counts) step('COMMIT search.db');
      super.exec(sql);
      if (counts) step('COMMITTED search.db');
    }

    override prepare(...parameters: Parameters<DatabaseSync['prepare']>) {
      const statement = super.prepare(...parameters);
      if (parameters[0] !== 'COMMIT' || this.#file !== 'portolan.sqlite') return statement;
      const run = statement.run.bind(statement) as typeof statement.run;
      statement.run = ((...values: Parameters<typeof run>) => {
        step('COMMIT');
        const done = run(...values);
        step('COMMITTED');
        return done;
      }) as typeof run;
      return statement;
    }
  };

  const processes: {
    spawn: (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;
  } = require('node:child_process');
  const { spawn } = processes;
  // The service hands little of its environment to the engine host.
  processes.spawn = (command, args, options) =>
    spawn(command, args, {
      ...options,
      env: {
        ...options.env,
        ...withDeaths(own),
        NODE_OPTIONS: process.env.NODE_OPTIONS,
        DEATHS_ROLE: 'host',
      },
    });
  syncBuiltinESMExports();
}

/** As Node.js and SQLite tell it. */
function failureOf(code: 'EIO' | 'ENOSPC', what: string): Error {
  const errcode = code === 'EIO' ? 10 : 13;
  if (/^(COMMIT|database|backup)/.test(what))
    return Object.assign(new Error(code === 'EIO' ? 'disk I/O error' : 'database or disk is full'), {
      code: 'ERR_SQLITE_ERROR',
      errcode,
    });
  return Object.assign(new Error(`${code}: ${what}`), { code });
}
