import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, connect } from '../packages/portolan/src/tour/client.ts';
import { type RunningService, startService } from '../packages/portolan/src/tour/process.ts';

export type { Client, RunningService };
export { connect, startService };

/** Runs `work` with a temporary folder. Removes the folder afterwards. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs `work` with a service on a new data directory. */
export function withService<T>(work: (service: RunningService, client: Client) => Promise<T>): Promise<T> {
  return withFolder(async (folder) => {
    const service = await startService(folder);
    try {
      return await work(service, await connect({ ...service.bootstrap, authority: service.authority }));
    } finally {
      await service.stop();
    }
  });
}

export const clusterBody = (name: string) => ({
  name,
  providerSettings: { providerName: 'AWS', instanceSizeName: 'M10', regionName: 'US_EAST_1' },
});

/** The user that `letDriversIn` creates in each project. */
export const driverAuth = { username: 'bench', password: 'a bench in the harbour' };

export async function letDriversIn(client: Client, project: string): Promise<void> {
  const roles = [{ roleName: 'readWriteAnyDatabase', databaseName: 'admin' }];
  await client.call('POST', `${project}/databaseUsers`, { ...driverAuth, databaseName: 'admin', roles });
  await client.call('POST', `${project}/accessList`, [{ ipAddress: '127.0.0.1' }]);
}

export function milliseconds(since: number): number {
  return performance.now() - since;
}

/** A script of this folder that runs in a separate process. */
export interface RunningScript {
  /** The first line of its output. */
  readonly line: string;
  /** Returns the CPU time of the script so far, in microseconds. Only for scripts that call `answerUsage`. */
  usage(): Promise<NodeJS.CpuUsage>;
  /** Stops the script. Resolves when it has ended. */
  stop(): Promise<void>;
}

export async function startScript(name: string, input: unknown): Promise<RunningScript> {
  const child = spawn(
    process.execPath,
    [...process.execArgv, join(import.meta.dirname, name), JSON.stringify(input)],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
  });
  return {
    line,
    async usage() {
      const usageMessage = once(child, 'message');
      child.send('usage');
      const [usage] = await usageMessage;
      return usage as NodeJS.CpuUsage;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/**
 * Starts a service in a separate process, which reports its CPU time and first prints the content of the bootstrap
 * file.
 */
export function startServed(folder: string, plain: boolean): Promise<RunningScript> {
  const args = ['--listen', '127.0.0.1:0', '--data-dir', folder, '--log-level', 'warn'];
  args.push('--engine-ports', '20000-29999,27500', ...(plain ? ['--plain-http'] : []));
  return startScript('served.ts', { args });
}

/**
 * Computes Digest credentials repeatedly from a single challenge, with the same nonce and an increasing count (RFC
 * 7616).
 */
export class DigestHeaders {
  readonly #nonce: string;
  readonly #realm: string;
  readonly #user: { publicKey: string; privateKey: string };
  #count = 0;

  constructor(challenge: string, user: { publicKey: string; privateKey: string }) {
    this.#nonce = /nonce="([^"]+)"/.exec(challenge)?.[1] ?? '';
    this.#realm = /realm="([^"]+)"/.exec(challenge)?.[1] ?? '';
    this.#user = user;
  }

  header(method: string, uri: string): string {
    const md5 = (text: string) => createHash('md5').update(text).digest('hex');
    const { publicKey, privateKey } = this.#user;
    const nc = (++this.#count).toString(16).padStart(8, '0');
    const ha1 = md5(`${publicKey}:${this.#realm}:${privateKey}`);
    const response = md5(`${ha1}:${this.#nonce}:${nc}:bench:auth:${md5(`${method}:${uri}`)}`);
    return `Digest username="${publicKey}", realm="${this.#realm}", nonce="${this.#nonce}", uri="${uri}", qop=auth, nc=${nc}, cnonce="bench", response="${response}", algorithm=MD5`;
  }
}
