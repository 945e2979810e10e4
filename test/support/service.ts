import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { portBlock } from './ports.ts';
import { MAIN } from './program.ts';

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

/** A service in a process of its own. */
export interface Service {
  readonly bootstrap: Bootstrap;
  /** Its CA certificate as PEM; absent with plain HTTP. */
  readonly authority: string | undefined;
  readonly dataDirectory: string;
  readonly pid: number;
  isRunning(): boolean;
  /** Resolves with its exit code when it has ended. */
  readonly ended: Promise<number | null>;
  /** The process id of its engine host. */
  hostPid(): number;
  /** Its log so far. */
  log(): string;
  /** Its standard output so far. */
  printed(): string;
  /** Stops it with SIGTERM; fails unless it exits cleanly. */
  stop(): Promise<void>;
  /** Kills it; its engine host keeps running. */
  kill(): Promise<void>;
}

/** Registers functions that run when a test or suite has ended. */
export interface Scope {
  after(run: () => unknown): void;
}

/** Runs the last registered function first, unlike test hooks: a service stops before its folder is removed. */
export function scopeOf(test: Scope): Scope {
  const stack: (() => unknown)[] = [];
  test.after(async () => {
    for (const undo of stack.reverse()) await undo();
  });
  return { after: (run) => void stack.push(run) };
}

const project = join(import.meta.dirname, '../..');
/** Less than a test's limit; a busy machine takes ten times as long as a quiet one. */
const READY_LIMIT_MS = 80_000;
const STOP_LIMIT_MS = 20_000;

/** Running services of this process; they end with it, however it ends. */
const running = new Map<ChildProcess, string>();
process.once('exit', () => {
  for (const [child, dataDirectory] of running) {
    child.kill('SIGKILL');
    endHost(dataDirectory);
  }
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

/** A folder that is removed with the scope. */
export async function temporaryFolder(scope: Scope): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-service-'));
  scope.after(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** The settings of all test services: a free port, and member ports that no other test uses. */
export async function commonSettings(scope: Scope): Promise<Settings> {
  const { first, last, release } = await portBlock();
  scope.after(release);
  return { listen: '127.0.0.1:0', 'engine-ports': `${first}-${last}` };
}

/** Starts a service; when the scope ends, stops it with its engine host if it still runs. */
export async function startService(
  scope: Scope,
  dataDirectory: string,
  settings: Settings,
  environment: NodeJS.ProcessEnv = {},
): Promise<Service> {
  const child = launch({ ...settings, 'data-dir': dataDirectory }, 'start', { environment });
  const output = { out: gather(child.stdout), err: gather(child.stderr) };
  running.set(child, dataDirectory);
  scope.after(() => end(child, dataDirectory));
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
 * Runs `portolan <command>` until it ends, for example a start that fails; the command may consist of several words.
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
    // Processes that it has started keep the pipes open.
    for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  }, READY_LIMIT_MS);
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
      // Not the project folder, which may contain a settings file.
      cwd: dirname(String(settings['data-dir'] ?? tmpdir())),
      env: { ...withoutSettings(process.env), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
}

/** Variables that configure the user's own services must not affect the tests. */
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

async function end(child: ChildProcess, dataDirectory: string): Promise<void> {
  if (running.delete(child) && child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
  endHost(dataDirectory);
}

function hostOf(dataDirectory: string): number | undefined {
  const file = join(dataDirectory, 'engine/host.json');
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid;
}

/** A host that stopped cleanly has removed its file; a killed one has not. */
function endHost(dataDirectory: string): void {
  const pid = hostOf(dataDirectory);
  if (pid !== undefined && commandOf(pid).includes(dataDirectory)) process.kill(pid, 'SIGKILL');
}

/** The command line of a process; empty if it has ended, or if the system does not provide it. */
function commandOf(pid: number): string {
  const file = `/proc/${pid}/cmdline`;
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
