import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { Readable } from 'node:stream';
import { engineDirectory, makeEngineDirectory } from '../control/host-file.ts';
import { type HostOutcome, OUTCOME_FD } from '../control/outcome.ts';
import type { HostSettings } from '../control/protocol.ts';
import { entryPoint } from '../host/entry-point.ts';
import { EngineUnavailable } from './errors.ts';

const ENTRY = entryPoint(import.meta.filename, '../host/main');

/** What a host may see of the environment: not the secrets that the service was given. */
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
];

/**
 * Starts engine hosts that outlive this process, and waits until they take calls. `false`: another one has the
 * data directory. Throws `EngineUnavailable` with the host's own words when it does not start.
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
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', entry, JSON.stringify(settings)],
      {
        detached: true,
        cwd: parse(process.execPath).root,
        env: pick(environment, settings),
        stdio: ['ignore', 'ignore', stderr, 'pipe'],
        windowsHide: true,
      },
    );
    child.unref();
    const outcome = await outcomeOf(child.stdio[OUTCOME_FD] as Readable, child);
    if (outcome === undefined)
      throw new EngineUnavailable(`the engine host ended at its start: ${tail(errors)}`);
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

/** Emptied at each start, so that it stays small: the host's log is elsewhere, this is for what kills it. */
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
    // Starting from compiled code saves about 40 ms and, from source, 20 MB.
    NODE_COMPILE_CACHE: join(engineDirectory(dataDir), 'compile-cache'),
    // Where SQLite puts the whole of a file for a while that is encrypted, or put in clear: on the same disk.
    SQLITE_TMPDIR: engineDirectory(dataDir),
    ...Object.fromEntries(kept.map((name) => [name, environment[name]])),
  };
}
