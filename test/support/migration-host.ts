import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from './expect.ts';
import { MAIN } from './program.ts';
import type { Scope } from './service.ts';

/** `portolan link` in a separate process. */
export interface MigrationHostProcess {
  /** Resolves when the service has accepted the first report. */
  ready(): Promise<void>;
  /** Kills the process with SIGKILL. Resolves when it has ended. */
  kill(): Promise<void>;
  /** Suspends the process until `resume`. */
  pause(): void;
  resume(): void;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
  log(): string;
}

/** Starts a migration host. It ends with the scope. */
export function startMigrationHost(
  scope: Scope,
  token: string,
  sources: readonly string[],
  more: readonly string[] = [],
): MigrationHostProcess {
  const flags = [
    '--disable-warning=ExperimentalWarning',
    MAIN,
    'link',
    ...sources.flatMap((source) => ['--source', source]),
  ];
  const child: ChildProcess = spawn(process.execPath, [...flags, ...more], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PORTOLAN_LINK_TOKEN: token },
  });
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  const kill = async () => {
    if (isOver()) return;
    child.kill('SIGKILL');
    await exit;
  };
  scope.after(kill);
  return {
    async ready() {
      await until(
        'the migration host ready',
        async () => ({ out, err, over: isOver() }),
        (told) => told.out.startsWith('ready ') || told.over,
      );
      if (!out.startsWith('ready ')) throw new Error(`the migration host has ended: ${err}`);
    },
    kill,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    ended: exit.then(([code]) => code),
    log: () => err,
  };
}
