import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { basename, join, parse } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';

/**
 * Crashes the service or the engine host of a test at a planned step. Both processes preload this file. While the
 * folder in `CRASHES` contains a plan for a process, the process counts its writes to backup files, search indexes and
 * the service's database. Before the planned write, the process ends as if it were killed by SIGKILL.
 */

export type Role = 'service' | 'host';

/** Threads of the engine host that can crash alone: the one that builds search indexes, and those of search nodes. */
export type Thread = 'search-thread' | 'search-node-thread';

/**
 * Determines which process crashes, and before which step. The step is the one with the number `at`, counted from 1, or
 * the first one whose name begins with `before`. If `fails` is set, the step fails as on a broken or full disk, and the
 * process does not crash. If `thread` is set, only the steps of this thread count, and only the thread ends.
 */
export type CrashPlan = {
  readonly role: Role;
  readonly fails?: 'EIO' | 'ENOSPC';
  readonly thread?: Thread;
} & ({ readonly at: number } | { readonly before: string });

/** Returns the environment that makes processes preload this file and look for a plan in `folder`. */
export const withCrashes = (folder: string) => ({
  NODE_OPTIONS: `--import=${pathToFileURL(import.meta.filename)}`,
  CRASHES: folder,
});

const planIn = (folder: string) => join(folder, 'plan.json');
const stepsIn = (folder: string) => join(folder, 'steps');

export function planCrash(folder: string, plan: CrashPlan): void {
  rmSync(stepsIn(folder), { force: true });
  // Write to another file and rename it, since processes may read the plan at any time.
  const draft = `${planIn(folder)}.draft`;
  writeFileSync(draft, JSON.stringify(plan));
  renameSync(draft, planIn(folder));
}

/** Removes the plan. Returns the counted steps; the last one may not have been executed. */
export function endCrashPlan(folder: string): string[] {
  rmSync(planIn(folder), { force: true });
  return existsSync(stepsIn(folder)) ? readFileSync(stepsIn(folder), 'utf8').trimEnd().split('\n') : [];
}

/** Whether the planned crash or failure has happened. */
export const hasCrashed = (folder: string): boolean => !existsSync(planIn(folder));

type Call = (...parameters: unknown[]) => unknown;
type Functions = Record<string, Call>;

/** The name of every step that is a search. Only plans with a thread count these steps. */
const SEARCH = 'search';

/** Matches files of backups: those in the snapshot store, and temporary files of snapshots and restores. */
const FILES = /\/(snapshots|temporary)\/|cluster\.db/;

if (process.env.CRASHES !== undefined && process.env.NODE_OPTIONS?.includes(basename(import.meta.filename))) {
  const require = createRequire(import.meta.url);
  const own = process.env.CRASHES;
  const files = require('node:fs') as Functions;
  const { appendFileSync, readFileSync: read, unlinkSync: remove, existsSync: exists } = require('node:fs');
  const originals = { append: appendFileSync, read, remove, exists };
  const role = (process.env.CRASHES_ROLE ?? 'service') as Role;

  /** Returns the name of the file that this thread runs; undefined on the main thread. */
  const inThread = () => (isMainThread ? undefined : parse(process.argv[1] ?? '').name);

  /**
   * Returns the result of `work`, which accesses a file of the plan. Returns undefined if the file does not exist,
   * since the plan has been removed or another process has claimed it.
   */
  const ifExists = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };

  const step = (what: string): void => {
    if (!originals.exists(planIn(own))) return;
    const text = ifExists(() => originals.read(planIn(own), 'utf8'));
    if (text === undefined) return;
    const plan = JSON.parse(text) as CrashPlan;
    if (plan.role !== role || (plan.thread !== undefined && plan.thread !== inThread())) return;
    if (plan.thread === undefined && what === SEARCH) return;
    originals.append(stepsIn(own), `${what}\n`);
    const steps: string = ifExists(() => originals.read(stepsIn(own), 'utf8')) ?? '';
    const done = steps.split('\n').length - 1;
    if ('at' in plan ? done < plan.at : !what.startsWith(plan.before)) return;
    // A commit that is complete can no longer fail.
    if (plan.fails !== undefined && what.startsWith('COMMITTED')) return;
    const isClaimed = ifExists(() => {
      originals.remove(planIn(own));
      return true;
    });
    if (isClaimed !== true) return;
    if (plan.fails !== undefined) throw errorOf(plan.fails, what);
    if (plan.thread !== undefined) process.exit(1);
    process.kill(process.pid, 'SIGKILL');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };

  const count = (functions: Functions, name: string, isAsync: boolean): void => {
    const original = functions[name];
    if (original === undefined) return;
    functions[name] = (...parameters) => {
      const [path] = parameters;
      const writes = !/^open/.test(name) || /[wa+]/.test(String(parameters[1] ?? 'r'));
      try {
        if (writes && FILES.test(String(path))) step(`${name} ${basename(String(path))}`);
      } catch (error) {
        if (isAsync) return Promise.reject(error);
        throw error;
      }
      return original.apply(functions, parameters);
    };
  };
  for (const name of ['open', 'rename', 'rm', 'mkdir', 'copyFile'])
    count(require('node:fs/promises') as Functions, name, true);
  for (const name of ['openSync', 'renameSync', 'rmSync', 'mkdirSync']) count(files, name, false);

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

    /** Search indexes use explicit transactions. The transactions of readers are not counted. */
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
  // Pass on the variables, since the service passes only a part of its environment to the engine host.
  processes.spawn = (command, args, options) =>
    spawn(command, args, {
      ...options,
      env: {
        ...options.env,
        ...withCrashes(own),
        NODE_OPTIONS: process.env.NODE_OPTIONS,
        CRASHES_ROLE: 'host',
      },
    });
  syncBuiltinESMExports();
}

/** Returns the error that Node.js or SQLite throws for a broken or full disk. */
function errorOf(code: 'EIO' | 'ENOSPC', what: string): Error {
  const errcode = code === 'EIO' ? 10 : 13;
  if (/^(COMMIT|database|backup)/.test(what))
    return Object.assign(new Error(code === 'EIO' ? 'disk I/O error' : 'database or disk is full'), {
      code: 'ERR_SQLITE_ERROR',
      errcode,
    });
  return Object.assign(new Error(`${code}: ${what}`), { code });
}
