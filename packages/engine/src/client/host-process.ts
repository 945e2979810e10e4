import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { Readable } from 'node:stream';
import { engineDirectory, makeEngineDirectory } from '../control/host-file.ts';
import { type HostOutcome, OUTCOME_FD } from '../control/outcome.ts';
import type { HostSettings } from '../control/protocol.ts';
import { entryPoint } from '../host/entry-point.ts';
import { EngineUnavailable } from './errors.ts';

/**
 * With the young generation of 16 MB per thread that V8 allows by default, the threads of a busy host held 300 MB more,
 * for the same CPU time per statement.
 */
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8'];

const ENTRY = entryPoint(import.meta.filename, '../host/main');

/** Environment variables passed to a host; secrets of the service are not. */
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
  // Set by the launcher for every process that it starts.
  'MALLOC_ARENA_MAX',
  'MALLOC_MMAP_THRESHOLD_',
  'MALLOC_TRIM_THRESHOLD_',
];

/**
 * Starts engine hosts that outlive this process, and waits until they accept calls. Resolves to `false` if another host
 * holds the data directory. Throws `EngineUnavailable` with the host's message if it does not start.
 */
export function processStarter(environment: NodeJS.ProcessEnv, entry = ENTRY) {
  return (settings: HostSettings) => startHostProcess(settings, environment, entry);
}

async function startHostProcess(
  settings: HostSettings,
  environment: NodeJS.ProcessEnv,
  entry: string,
): Promise<boolean> {
  prepare(settings.dataDir);
  const errors = join(engineDirectory(settings.dataDir), 'host.stderr');
  const stderr = openErrors(errors);
  try {
    const child = spawn(process.execPath, [...FLAGS, entry, JSON.stringify(settings)], {
      detached: true,
      cwd: parse(process.execPath).root,
      env: pick(environment, settings),
      stdio: ['ignore', 'ignore', stderr, 'pipe'],
      windowsHide: true,
    });
    child.unref();
    const outcome = await outcomeOf(child.stdio[OUTCOME_FD] as Readable, child);
    if (outcome === undefined)
      throw new EngineUnavailable(`the engine host ended during its start: ${tail(errors)}`);
    if (outcome.kind === 'failed')
      throw new EngineUnavailable(`the engine host did not start: ${outcome.message}`);
    return outcome.kind === 'ready';
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

/** Truncated at each start, so that it stays small: it is for fatal errors; the host's log is elsewhere. */
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

function tail(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim().slice(-2_000);
  } catch {
    return 'it left no message';
  }
}

function pick(environment: NodeJS.ProcessEnv, { dataDir }: HostSettings): NodeJS.ProcessEnv {
  const kept = ENVIRONMENT.filter((name) => environment[name] !== undefined);
  return {
    // The compile cache saves about 40 ms at start and, from source, 20 MB.
    NODE_COMPILE_CACHE: join(engineDirectory(dataDir), 'compile-cache'),
    // SQLite temporarily stores a whole file here while it is encrypted or decrypted: on the same disk.
    SQLITE_TMPDIR: engineDirectory(dataDir),
    ...Object.fromEntries(kept.map((name) => [name, environment[name]])),
  };
}
