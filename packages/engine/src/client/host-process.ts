import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, parse } from 'node:path';
import type { Readable } from 'node:stream';
import { entryPoint } from '@portolan/foundation/entry-point';
import { engineDirectory, makeEngineDirectory } from '../control/host-file.ts';
import { type HostOutcome, OUTCOME_FD } from '../control/outcome.ts';
import type { HostSettings } from '../control/protocol.ts';
import { EngineUnavailable } from './errors.ts';
import type { HostExit } from './supervisor.ts';

/**
 * The threads of V8 collect garbage for all other threads. Without a limit, four of them would compete with connection
 * threads and query threads for two processors.
 */
const COLLECTORS = Math.min(Math.max(availableParallelism() - 1, 1), 4);

/**
 * Limits V8's young generation to 8 MB per thread. With the default of 16 MB, the threads of a busy host took 300 MB
 * more, but did not need less CPU time per statement.
 */
export const HOST_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=8',
  `--v8-pool-size=${COLLECTORS}`,
];

const ENTRY = entryPoint(import.meta.filename, '../host/main');

/**
 * The environment variables that a host inherits. The host receives no others, because they may contain secrets of the
 * service.
 */
const ENVIRONMENT = [
  'PATH',
  'HOME',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'NODE_COMPILE_CACHE',
  // The launcher sets the following variables for every process that it starts.
  'MALLOC_ARENA_MAX',
  'MALLOC_MMAP_THRESHOLD_',
  'MALLOC_TRIM_THRESHOLD_',
];

/**
 * Returns a function that starts an engine host in a separate process, and waits until the host accepts
 * calls. The host keeps running after this process ends, unless `endsWithStarter` is set. The function
 * resolves to `false` if another host has locked the data directory. It throws `EngineUnavailable` with the
 * host's message if the host does not start.
 */
export function processStarter(environment: NodeJS.ProcessEnv, entry = ENTRY) {
  return (settings: HostSettings, exited: (exit: HostExit) => void = () => {}) =>
    startHostProcess(settings, exited, environment, entry);
}

async function startHostProcess(
  settings: HostSettings,
  exited: (exit: HostExit) => void,
  environment: NodeJS.ProcessEnv,
  entry: string,
): Promise<boolean> {
  prepare(settings.dataDir);
  const errors = join(engineDirectory(settings.dataDir), 'host.stderr');
  const stderr = openErrors(errors);
  try {
    const child = spawn(process.execPath, [...HOST_FLAGS, entry, JSON.stringify(settings)], {
      detached: true,
      cwd: parse(process.execPath).root,
      env: pick(environment, settings),
      stdio: [settings.endsWithStarter ? 'pipe' : 'ignore', 'ignore', stderr, 'pipe'],
      windowsHide: true,
    });
    child.unref();
    // This process keeps the pipe open until it ends. But the open pipe must not keep the process from ending.
    if (child.stdin instanceof Socket) child.stdin.unref();
    const outcome = await outcomeOf(child.stdio[OUTCOME_FD] as Readable, child);
    if (outcome === undefined)
      throw new EngineUnavailable(
        `the engine host ended during its start: ${tail(errors) ?? 'it left no message'}`,
      );
    if (outcome.kind === 'failed')
      throw new EngineUnavailable(`the engine host did not start: ${outcome.message}`);
    if (outcome.kind !== 'ready') return false;
    whenExited(child, ({ code, signal }) => {
      exited({
        pid: child.pid,
        exitCode: code ?? undefined,
        signal: signal ?? undefined,
        reason: tail(errors),
      });
    });
    return true;
  } finally {
    if (typeof stderr === 'number') closeSync(stderr);
  }
}

function prepare(dataDir: string): void {
  try {
    makeEngineDirectory(dataDir);
  } catch (error) {
    throw new EngineUnavailable(`the engine cannot use its data directory: ${(error as Error).message}`);
  }
}

/**
 * Opens the file to which a host writes fatal errors. This file is not the host's log. Each start truncates
 * the file, so that it stays small.
 */
function openErrors(path: string): number | 'ignore' {
  try {
    return openSync(path, 'w', 0o600);
  } catch {
    return 'ignore';
  }
}

async function outcomeOf(pipe: Readable, child: { once(event: 'error', run: (error: Error) => void): void }) {
  const failed = new Promise<never>((_, reject) => {
    child.once('error', (error) => reject(new EngineUnavailable(`the engine host: ${error.message}`)));
  });
  failed.catch(() => {});
  const text = await Promise.race([failed, pipe.toArray().then((parts) => Buffer.concat(parts).toString())]);
  return text === '' ? undefined : (JSON.parse(text) as HostOutcome);
}

interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Calls `exited` when the process ends, or at once if it has ended already. */
function whenExited(child: ChildProcess, exited: (exit: ProcessExit) => void): void {
  const { exitCode: code, signalCode: signal } = child;
  if (code !== null || signal !== null) exited({ code, signal });
  else child.once('exit', (code, signal) => exited({ code, signal }));
}

/** Returns the end of a host's fatal errors. Returns undefined if there are none. */
function tail(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim().slice(-2_000) || undefined;
  } catch {
    return undefined;
  }
}

function pick(environment: NodeJS.ProcessEnv, { dataDir }: HostSettings): NodeJS.ProcessEnv {
  const kept = ENVIRONMENT.filter((name) => environment[name] !== undefined);
  return {
    // The compile cache saves about 40 ms per start. If the host runs from source, it also saves 20 MB of memory.
    NODE_COMPILE_CACHE: join(engineDirectory(dataDir), 'compile-cache'),
    // While SQLite encrypts or decrypts a file, it writes a temporary copy. The copy should be on the same disk as the
    // file.
    SQLITE_TMPDIR: engineDirectory(dataDir),
    ...Object.fromEntries(kept.map((name) => [name, environment[name]])),
  };
}
