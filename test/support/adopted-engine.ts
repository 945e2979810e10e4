import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/** PEM texts of the certificate of a server, its key and its authority. */
type ServerCertificate = Readonly<Record<'authority' | 'certificate' | 'key', string>>;

/** Starts a server, which accepts only TLS if it has a certificate. It ends with the scope. */
export async function otherServer(scope: Scope, tls?: ServerCertificate): Promise<OtherServer> {
  const folder = await temporaryFolder(scope);
  const files = tls && (await certificateFlags(await temporaryFolder(scope), tls));
  const trust = files === undefined ? '' : `&tlsCAFile=${encodeURIComponent(files.authority)}`;
  const ports = await portBlock();
  let process: ChildProcess | undefined;
  let own = '';

  async function start(): Promise<void> {
    process = spawnEngine(folder, ports.first + 1, files?.flags ?? []);
    own = `${await readyUri(process)}${trust}`;
  }

  async function kill(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (process === undefined || process.exitCode !== null || process.signalCode !== null) return;
    process.kill(signal);
    await once(process, 'exit');
  }

  /** Suspends or resumes the program and its engine host, which is a separate process. */
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

/**
 * Starts a server and connects a driver to it. Both end with the scope, and the driver ends first: to close, a driver
 * searches for a server.
 */
export async function connectedServer(
  scope: Scope,
): Promise<{ readonly server: OtherServer; readonly client: MongoClient }> {
  const server = await otherServer(scope);
  const client = new MongoClient(server.uri, LONG_TIMEOUTS);
  scope.after(() => client.close());
  return { server, client };
}

function spawnEngine(folder: string, port: number, more: readonly string[]): ChildProcess {
  const flags = ['--disable-warning=ExperimentalWarning', MAIN, 'engine'];
  const given = ['--data-dir', folder, '--port', String(port), '--stay'];
  return spawn(globalThis.process.execPath, [...flags, ...given, ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

interface CertificateFiles {
  readonly flags: readonly string[];
  readonly authority: string;
}

/** Writes a certificate to files. Returns the flags that name them, and the path of the authority. */
async function certificateFlags(folder: string, tls: ServerCertificate): Promise<CertificateFiles> {
  const files = { cert: tls.certificate, key: tls.key, ca: tls.authority };
  const path = (name: string) => join(folder, `${name}.pem`);
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(path(name), text)));
  return { flags: ['--tls-cert', path('cert'), '--tls-key', path('key')], authority: path('ca') };
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
