import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { MongoClient } from 'mongodb';
import { readyUri } from './engine-line.ts';
import { portBlock } from './ports.ts';
import { MAIN } from './program.ts';
import { REMOVAL } from './removal.ts';
import { type Scope, temporaryFolder } from './service.ts';
import { LONG_TIMEOUTS } from './timeouts.ts';

export const ADMINISTRATOR = { user: 'harbourmaster', pwd: 'anchors and chains' };

/**
 * A database server that the tested service does not run: `npm run engine`, with authentication and an administrator.
 */
export interface OtherServer {
  /** The connection string of the administrator. */
  readonly uri: string;
  /** Host and port of every member, such as `127.0.0.1:20001`. */
  readonly hosts: readonly string[];
  /** Stops the server, by default with an orderly shutdown. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Suspends or resumes the server. A suspended server does not reply, but keeps its connections open. */
  freeze(isFrozen: boolean): void;
  /** Starts the server again with the same data and ports. */
  start(): Promise<void>;
}

/** Starts a server. It ends with the scope. */
export async function otherServer(scope: Scope): Promise<OtherServer> {
  const folder = await temporaryFolder(scope);
  const ports = await portBlock();
  let process: ChildProcess | undefined;
  let own = '';

  async function start(): Promise<void> {
    process = spawnEngine(folder, ports.first + 1);
    own = await readyUri(process);
  }

  async function kill(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (process === undefined || process.exitCode !== null || process.signalCode !== null) return;
    process.kill(signal);
    await once(process, 'exit');
  }

  /** Also suspends the engine host, which is a separate process. */
  function freeze(isFrozen: boolean): void {
    const { pid, exitCode, signalCode } = process ?? {};
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    for (const one of [pid, ...children.map(Number)])
      if (one > 0) globalThis.process.kill(one, isFrozen ? 'SIGSTOP' : 'SIGCONT');
  }

  scope.after(async () => {
    freeze(false);
    await kill();
    await ports.release();
    await rm(folder, REMOVAL);
  });
  await start();
  await createAdministrator(own);
  const hosts = own.replace(/^.*@/, '').replace(/\/.*$/, '').split(',');
  const { user, pwd } = ADMINISTRATOR;
  const uri = `mongodb://${user}:${encodeURIComponent(pwd)}@${hosts.join(',')}/${own.slice(own.indexOf('?'))}`;
  return { uri, hosts, kill, freeze, start };
}

function spawnEngine(folder: string, port: number): ChildProcess {
  const flags = ['--disable-warning=ExperimentalWarning', MAIN, 'engine'];
  const given = ['--data-dir', folder, '--port', String(port), '--stay'];
  return spawn(globalThis.process.execPath, [...flags, ...given], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Creates an administrator, since the server's own user gets another password at each start. */
async function createAdministrator(uri: string): Promise<void> {
  const client = await MongoClient.connect(uri, LONG_TIMEOUTS);
  try {
    const { user, pwd } = ADMINISTRATOR;
    await client.db('admin').command({ createUser: user, pwd, roles: ['root'] });
  } finally {
    await client.close();
  }
}
