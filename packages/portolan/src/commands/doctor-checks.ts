import { X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { readHostFile } from '@portolan/engine/management';
import { machineClock } from '@portolan/foundation/clock';
import { sendRequest } from '@portolan/foundation/http-call';
import { isAlive } from '@portolan/foundation/is-alive';
import { systemRandom } from '@portolan/foundation/random';
import { secretBox } from '@portolan/foundation/secret-box';
import type { Config } from '@portolan/service/settings';
import { faultOfDatabase, hostsOf, lookAtPostgres, ownerOf } from '@portolan/service/store';
import { readBootstrap } from './operator.ts';

export interface Finding {
  readonly kind: 'good' | 'warning' | 'bad';
  readonly text: string;
}

type Check = (config: Config) => Finding[] | Promise<Finding[]>;

const good = (text: string): Finding => ({ kind: 'good', text });
const warning = (text: string): Finding => ({ kind: 'warning', text });
const bad = (text: string): Finding => ({ kind: 'bad', text });

const MEGABYTE = 1024 * 1024;
/** Limits of free space. A start writes about 10 MB. Below the second limit, databases soon run out of space. */
const MIN_FREE = 64 * MEGABYTE;
const SMALL_FREE = 1024 * MEGABYTE;
const ANSWER_MS = 5_000;
const DAY_MS = 86_400_000;
const SOON_MS = 14 * DAY_MS;
/** The clock of the machine is wrong if it shows an earlier date than this. */
const BUILT = Date.UTC(2026, 0, 1);

function node(): Finding[] {
  const { versions, platform, arch } = process;
  return [good(`Node.js ${versions.node} with SQLite ${versions.sqlite} on ${platform} ${arch}`)];
}

function dataDirectory({ 'data-dir': given, ephemeral }: Config): Finding[] {
  const path = resolve(given);
  if (ephemeral) return [good('no data is kept: --ephemeral')];
  if (!existsSync(path)) {
    const parent = nearest(path);
    return [
      writable(parent)
        ? good(`the data directory ${path} will be created`)
        : bad(`the data directory ${path} cannot be created: ${parent} is not writable`),
    ];
  }
  if (!statSync(path).isDirectory()) return [bad(`the data directory ${path} is not a directory`)];
  if (!writable(path)) return [bad(`the data directory ${path} is not writable`)];
  const open = process.platform === 'win32' ? 0 : statSync(path).mode & 0o077;
  return [
    open === 0
      ? good(`only you can access the data directory ${path}`)
      : warning(`other users can access the data directory ${path}: chmod 700 ${path}`),
  ];
}

/** Returns the folder, or its nearest existing ancestor. */
function nearest(path: string): string {
  return existsSync(path) ? path : nearest(dirname(path));
}

function writable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function disk({ 'data-dir': given }: Config): Finding[] {
  const { bavail, bsize } = statfsSync(nearest(resolve(given)));
  const free = bavail * bsize;
  const text = `${Math.round(free / MEGABYTE)} MiB are free on the disk of the data directory`;
  if (free < MIN_FREE) return [bad(`${text}, too little for a start`)];
  return [free < SMALL_FREE ? warning(text) : good(text)];
}

function clock(): Finding[] {
  const now = machineClock().now();
  const date = new Date(now).toISOString();
  return [
    now < BUILT
      ? bad(`the clock of the machine says ${date}: certificates and tokens will not be valid`)
      : good(`the clock of the machine says ${date}`),
  ];
}

const KEY_BYTES = 32;

function secretKeyFile(config: Config): string {
  return config['secret-key'] ?? join(resolve(config['data-dir']), 'secret.key');
}

/** Returns the key in a file; undefined if the file does not exist or contains no key. */
function keyIn(file: string): Buffer | undefined {
  if (!existsSync(file)) return undefined;
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  return key.length === KEY_BYTES ? key : undefined;
}

function secretKey(config: Config): Finding[] {
  const directory = resolve(config['data-dir']);
  const file = secretKeyFile(config);
  if (!existsSync(file)) {
    const isNeeded = config['secret-key'] !== undefined || existsSync(join(directory, 'portolan.sqlite'));
    return [isNeeded ? bad(`the secret key ${file} is missing`) : good('a secret key will be created')];
  }
  try {
    if (keyIn(file) === undefined) return [bad(`the secret key ${file} does not contain 32 bytes as base64`)];
  } catch (error) {
    return [bad(`the secret key ${file} cannot be read: ${(error as Error).message}`)];
  }
  const open = process.platform === 'win32' ? 0 : statSync(file).mode & 0o077;
  return [
    open === 0
      ? good(`only you can read the secret key ${file}`)
      : warning(`other users can read the secret key ${file}: chmod 600 ${file}`),
  ];
}

function certificate(config: Config): Finding[] {
  if (config['plain-http']) return [warning('TLS is off: --plain-http')];
  const file = config['tls-cert'];
  if (file === undefined) return [good("TLS uses a certificate of the service's own authority")];
  try {
    const { validFrom, validTo } = new X509Certificate(readFileSync(file));
    const [now, from, to] = [machineClock().now(), Date.parse(validFrom), Date.parse(validTo)];
    if (now < from) return [bad(`the certificate ${file} is not valid before ${validFrom}`)];
    if (now > to) return [bad(`the certificate ${file} has expired: ${validTo}`)];
    const text = `the certificate ${file} is valid until ${validTo}`;
    return [to - now < SOON_MS ? warning(text) : good(text)];
  } catch (error) {
    return [bad(`the certificate ${file} cannot be read: ${(error as Error).message}`)];
  }
}

async function database(config: Config): Promise<Finding[]> {
  const { database: url } = config;
  if (url === undefined) return [await fileIn(config)];
  const place = hostsOf(url)
    .map(({ name }) => name)
    .join(', ');
  try {
    const { host, version, fault } = await lookAtPostgres(url, ANSWER_MS, await fitting(config));
    const answers = good(`PostgreSQL ${version} at ${host} answers`);
    return fault === undefined ? [answers] : [answers, bad(`the database at ${host} ${fault}`)];
  } catch (error) {
    return [bad(`PostgreSQL at ${place} cannot be used: ${(error as Error).message}`)];
  }
}

/**
 * Inspects a database file. If the database is in use, or was in use when its service was killed, does not read it,
 * because this would not be safe.
 */
async function fileIn(config: Config): Promise<Finding> {
  const directory = resolve(config['data-dir']);
  const file = join(directory, 'portolan.sqlite');
  const isIdle = existsSync(file) && !existsSync(`${file}-wal`) && ownerOf(directory) === undefined;
  const fault = isIdle ? faultOfDatabase(file, await fitting(config)) : undefined;
  return fault === undefined
    ? good('the database is SQLite in the data directory')
    : bad(`the database ${file} ${fault}`);
}

/** Returns what the database must match: this version's migrations, and the secret key if it can be read. */
async function fitting(config: Config) {
  // Load these modules here, since apart from this command only `start` needs the resource families.
  const [{ migrationsOf }, { loadFamilies }] = await Promise.all([
    import('@portolan/service/migrations'),
    import('@portolan/service/families'),
  ]);
  const key = keyIn(secretKeyFile(config));
  return {
    migrations: migrationsOf(await loadFamilies()),
    ...(key !== undefined && { fingerprint: secretBox(key, systemRandom()).fingerprint }),
  };
}

/** Checks the running service. Without one, checks whether a service can start. */
async function service(config: Config): Promise<Finding[]> {
  const directory = resolve(config['data-dir']);
  const owner = existsSync(directory) ? ownerOf(directory) : undefined;
  if (owner === undefined || config.ephemeral) return [await port(config), ...leftHost(directory)];
  const running = `the running service (process ${owner})`;
  if (!existsSync(join(directory, 'bootstrap.json'))) return [warning(`${running} is not ready yet`)];
  const { bootstrap, authority } = await readBootstrap(directory);
  const { url } = bootstrap;
  try {
    const call = { method: 'GET', authority, timeoutMs: ANSWER_MS };
    const { status, text } = await sendRequest(new URL('/readyz', url), call);
    return [
      status === 200 ? good(`${running} is ready at ${url}`) : bad(`${running} is not ready: ${text.trim()}`),
    ];
  } catch (error) {
    return [bad(`${running} does not answer at ${url}: ${(error as Error).message}`)];
  }
}

async function port({ listen: { host, port: number } }: Config): Promise<Finding> {
  const at = `${host}:${number}`;
  const probe = createServer();
  try {
    await new Promise<void>((done, failed) => {
      probe.once('error', failed);
      probe.listen(number, host, done);
    });
    return good(number === 0 ? `a free port of ${host} will be selected` : `${at} is free`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return bad(
      `the service cannot listen on ${at}: ${code === 'EADDRINUSE' ? 'the port is in use' : message}`,
    );
  } finally {
    probe.close();
  }
}

/**
 * Looks for an engine host that has no service, because the service was killed or was stopped with
 * --keep-clusters. The host still runs, or has died.
 */
function leftHost(directory: string): Finding[] {
  const host = readHostFile(directory);
  if (host === undefined) return [good('no engine host runs without a service')];
  const text = `an engine host (process ${host.pid})`;
  return isAlive(host.pid)
    ? [
        warning(
          `${text} runs without a service: its databases are available, and the next start connects to it`,
        ),
      ]
    : [warning(`${text} has died: the next start reopens its databases`)];
}

/** All checks, in the order in which they are printed. */
export const checks: ReadonlyArray<{ readonly name: string; readonly look: Check }> = [
  { name: 'Node.js', look: node },
  { name: 'clock', look: clock },
  { name: 'data directory', look: dataDirectory },
  { name: 'disk', look: disk },
  { name: 'secret key', look: secretKey },
  { name: 'certificate', look: certificate },
  { name: 'database', look: database },
  { name: 'service', look: service },
];
