import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Bootstrap } from '@portolan/service/bootstrap';

/** A service that runs in a process of its own. */
export interface RunningService {
  readonly bootstrap: Bootstrap;
  /** The PEM text of its authority. */
  readonly authority: string;
  /** Requests a stop. Throws unless the service ends cleanly. */
  stop(): Promise<void>;
}

interface StartOptions {
  /**
   * The first port that the service tries for its clusters. Operating systems use higher ports than this for
   * outgoing connections, so the ports stay free while the service is stopped, unless another program listens
   * on them.
   */
  readonly firstPort?: number | undefined;
  /** The file of the program. */
  readonly main?: string | undefined;
  /** Arguments in addition to those that every service gets. */
  readonly args?: readonly string[];
  /** Environment variables in addition to those of this process. */
  readonly environment?: NodeJS.ProcessEnv | undefined;
}

/** Starts a service on a data directory. Resolves when the service prints `ready`. */
export async function startService(
  dataDirectory: string,
  {
    firstPort = 27_100,
    main = join(import.meta.dirname, '..', `main${extname(import.meta.filename)}`),
    args = [],
    environment = {},
  }: StartOptions = {},
): Promise<RunningService> {
  const all = ['start', '--listen', '127.0.0.1:0', '--data-dir', dataDirectory, '--log-level', 'warn'];
  all.push('--engine-ports', `20000-29999,${firstPort}`, ...args);
  const child = spawn(process.execPath, [...process.execArgv, main, ...all], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  await ready(child);
  const bootstrap = JSON.parse(readFileSync(join(dataDirectory, 'bootstrap.json'), 'utf8')) as Bootstrap;
  return {
    bootstrap,
    authority: readFileSync(bootstrap.caCertificate ?? '', 'utf8'),
    async stop() {
      child.kill('SIGTERM');
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code !== 0) throw new Error(`the service ended with ${code}`);
    },
  };
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (/^ready /m.test(printed)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the service ended with ${code} before it was ready`)));
  });
}
