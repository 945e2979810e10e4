import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { until } from './expect.ts';
import { portBlock } from './ports.ts';
import { end } from './processes.ts';
import { MAIN } from './program.ts';
import { REMOVAL } from './removal.ts';

/** The content of `bootstrap.json`. */
export interface Bootstrap {
  readonly url: string;
  readonly orgId: string;
  readonly groupId: string;
  readonly publicKey: string;
  readonly privateKey: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly operatorToken: string;
  readonly caCertificate?: string;
}

/** Settings by name: `{ 'log-level': 'warn', 'plain-http': true }`. */
export type Settings = Readonly<Record<string, string | boolean>>;

/** A service in a separate process. */
export interface Service {
  readonly bootstrap: Bootstrap;
  /** The certificate of its authority, PEM; undefined with plain HTTP. */
  readonly authority: string | undefined;
  readonly dataDirectory: string;
  readonly pid: number;
  isRunning(): boolean;
  /** Resolves with the exit code when the service has ended. */
  readonly ended: Promise<number | null>;
  /** Returns the process id of its engine host. */
  hostPid(): number;
  /** Returns the log of the service so far. */
  log(): string;
  /** Returns the standard output of the service so far. */
  printed(): string;
  /** Stops the service by SIGTERM. Fails unless it exits cleanly. */
  stop(): Promise<void>;
  /** Kills the service. Its engine host keeps running. */
  kill(): Promise<void>;
}

/** Registers functions to call when a test or suite has ended. */
export interface Scope {
  after(run: () => unknown): void;
}

/**
 * Returns a scope that calls the last registered function first, unlike the hooks of tests. In the order of hooks, the
 * folder of a service would be removed before the service stops.
 */
export function scopeOf(test: Scope): Scope {
  const stack: (() => unknown)[] = [];
  test.after(async () => {
    for (const undo of stack.reverse()) await undo();
  });
  return { after: (run) => void stack.push(run) };
}

const project = join(import.meta.dirname, '../..');
/**
 * How long a start may take. This is less than the time limit of a test. On a busy machine, a start can take ten times
 * as long as on a quiet one.
 */
const READY_LIMIT_MS = 360_000;
const STOP_LIMIT_MS = 360_000;
/** How long a command may take. It may start services and clusters, and work with them. */
const COMMAND_LIMIT_MS = 800_000;

/** The running services that this process has started. They end when this process ends, in whatever way. */
const running = new Map<ChildProcess, string>();
process.once('exit', () => {
  for (const [child, dataDirectory] of running) {
    child.kill('SIGKILL');
    endHost(dataDirectory);
  }
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

/** Creates a folder, which is removed with the scope. */
export async function temporaryFolder(scope: Scope): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-service-'));
  scope.after(() => rm(folder, REMOVAL));
  return folder;
}

/** Returns the settings that all test services have: a free port, and ports for members that no other test uses. */
export async function commonSettings(scope: Scope): Promise<Settings> {
  const { first, last, release } = await portBlock();
  scope.after(release);
  return { listen: '127.0.0.1:0', 'engine-ports': `${first}-${last}` };
}

/** Starts a service. When the scope ends, stops the service and its engine host if they still run. */
export async function startService(
  scope: Scope,
  dataDirectory: string,
  settings: Settings,
  environment: NodeJS.ProcessEnv = {},
): Promise<Service> {
  const child = launch({ ...settings, 'data-dir': dataDirectory }, 'start', { environment });
  const output = { out: gather(child.stdout), err: gather(child.stderr) };
  running.set(child, dataDirectory);
  scope.after(() => endService(child, dataDirectory));
  await isReady(child, output);
  const bootstrap = JSON.parse(readFileSync(join(dataDirectory, 'bootstrap.json'), 'utf8')) as Bootstrap;
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
  return {
    bootstrap,
    dataDirectory,
    authority: bootstrap.caCertificate && readFileSync(bootstrap.caCertificate, 'utf8'),
    pid: child.pid ?? 0,
    ended: exit.then(([code]) => code),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    hostPid: () => hostOf(dataDirectory) ?? 0,
    log: output.err,
    printed: output.out,
    async stop() {
      child.kill('SIGTERM');
      const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      const [code, signal] = await exit;
      clearTimeout(limit);
      running.delete(child);
      assert.deepEqual([code, signal], [0, null], `the service ended badly:\n${output.err()}`);
    },
    async kill() {
      child.kill('SIGKILL');
      await exit;
      running.delete(child);
    },
  };
}

/** The result of a command that ends by itself. */
export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs `portolan <command>` until it ends, for example a start that fails. The command may consist of several words.
 */
export async function runCommand(
  command: string,
  settings: Settings,
  more: { readonly account?: object; readonly environment?: NodeJS.ProcessEnv } = {},
): Promise<Outcome> {
  const child = launch(settings, command, more);
  const output = { out: gather(child.stdout), err: gather(child.stderr) };
  const limit = setTimeout(() => {
    child.kill('SIGKILL');
    // Close the pipes, which processes that the command started keep open.
    for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  }, COMMAND_LIMIT_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(limit);
  return { code, out: output.out(), err: output.err() };
}

function launch(
  settings: Settings,
  command = 'start',
  { account = {}, environment = {} }: { account?: object; environment?: NodeJS.ProcessEnv } = {},
): ChildProcess {
  const flags = Object.entries(settings).flatMap(([name, value]) =>
    typeof value === 'string' ? [`--${name}`, value] : value ? [`--${name}`] : [],
  );
  return spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', MAIN, ...command.split(' '), ...flags],
    {
      ...account,
      // Do not use the project's folder, which may contain a settings file.
      cwd: dirname(String(settings['data-dir'] ?? tmpdir())),
      env: { ...withoutSettings(process.env), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
}

/** Omits variables with which users configure their own services, since these must not affect the tests. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !/^(PORTOLAN_|NODE_TEST_CONTEXT)/.test(name));
  return { NODE_COMPILE_CACHE: join(project, 'node_modules/.cache'), ...Object.fromEntries(kept) };
}

function gather(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

function isReady(child: ChildProcess, output: { out: () => string; err: () => string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`the service ${reason}:\n${output.err()}`));
    const limit = setTimeout(() => fail('was not ready in time'), READY_LIMIT_MS);
    const settle = () => clearTimeout(limit);
    child.once('close', (code, signal) => {
      settle();
      fail(`ended with ${code ?? signal} before it was ready`);
    });
    child.stdout?.on('data', () => {
      if (!/^ready /m.test(output.out())) return;
      settle();
      resolve();
    });
  });
}

async function endService(child: ChildProcess, dataDirectory: string): Promise<void> {
  if (running.delete(child) && child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
  // Wait for the end, since a host that still writes files would disturb the removal of its folder.
  await until(
    'the end of the engine host',
    async () => endHost(dataDirectory),
    (isRunning) => !isRunning,
  );
}

function hostOf(dataDirectory: string): number | undefined {
  const text = textIn(join(dataDirectory, 'engine/host.json'));
  return text === '' ? undefined : (JSON.parse(text) as { pid: number }).pid;
}

/**
 * Ends an engine host that is still running, and returns whether there was one. A host that stopped cleanly has removed
 * its file, and a killed one has not.
 */
function endHost(dataDirectory: string): boolean {
  const pid = hostOf(dataDirectory);
  // The command line of a process shows whether it is the host. Some systems do not show it.
  if (pid === undefined || !textIn(`/proc/${pid}/cmdline`).includes(dataDirectory)) return false;
  end(pid);
  return true;
}

/** Returns the content of a file; empty if the file does not exist, or is removed just now. */
function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (/^(ENOENT|ESRCH)$/.test(String(Object(error).code))) return '';
    throw error;
  }
}
