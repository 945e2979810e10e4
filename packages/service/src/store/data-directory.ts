import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { lockFile } from '@portolan/foundation/file-lock';
import { StoreError } from './errors.ts';
import { sqliteError } from './sqlite/errors.ts';

/** A data directory that a running service has locked. */
export interface DataDirectory {
  /** The absolute path of the directory. */
  readonly path: string;
  /** Releases the lock. The end of the process also releases it. */
  close(): void;
}

/** File of the lock. Only `lockFile` may open it. */
const LOCK = 'lock';
/**
 * How many milliseconds a start waits for the lock. Another process may hold the lock briefly, only to test whether the
 * directory is in use (see `ownerOf`).
 */
const PROBE_MS = 1_000;
/** File with the process id of the lock holder. */
const OWNER = 'pid';

/** Creates the directory if it does not exist, and locks it. Throws a `StoreError` with a message for the operator. */
export function openDataDirectory(directory: string): DataDirectory {
  const path = resolve(directory);
  makeWritable(path);
  const release = lock(path, PROBE_MS);
  if (release === undefined) {
    const owner = readOwner(path);
    const who = owner === undefined ? 'another process' : `process ${owner}`;
    throw new StoreError('busy', `The data directory ${path} is in use by ${who}`);
  }
  writeFileSync(join(path, OWNER), `${process.pid}\n`, { mode: 0o600 });
  return { path, close: release };
}

/** Returns the id of the process that has locked a data directory; undefined if no process has locked it. */
export function ownerOf(directory: string): number | undefined {
  const path = resolve(directory);
  const owner = readOwner(path);
  if (owner === undefined) return undefined;
  const release = lock(path, 0);
  release?.();
  return release === undefined ? owner : undefined;
}

function makeWritable(path: string): void {
  try {
    makeFolder(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = reasons[codeOf(cause)] ?? String(cause);
    throw new StoreError('configuration', `The data directory ${path} cannot be used: ${reason}`, { cause });
  }
}

/**
 * Creates a folder and its missing ancestors. `mkdirSync` with `recursive` would never return on file systems such as
 * /proc, which reject new names with the error ENOENT.
 */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (!existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'a part of the path cannot be created',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EEXIST: 'it is not a directory',
  ENOTDIR: 'a part of the path is not a directory',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

function codeOf(error: unknown): string {
  return String(Object(error).code);
}

function readOwner(path: string): number | undefined {
  try {
    const owner = Number.parseInt(readFileSync(join(path, OWNER), 'utf8'), 10);
    return Number.isNaN(owner) ? undefined : owner;
  } catch {
    return undefined;
  }
}

/** Locks the directory. Returns a function that releases the lock; undefined if another process holds the lock. */
function lock(path: string, timeout: number): (() => void) | undefined {
  const file = join(path, LOCK);
  try {
    return lockFile(file, timeout);
  } catch (error) {
    throw sqliteError(error, file);
  }
}

/**
 * Throws if the data directory contains clusters, but the database is missing or empty. The service would create a new
 * database, with other keys and without rows for these clusters.
 */
export function refuseLostDatabase(file: string, clusters: string): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0 || !holdsClusters(clusters)) return;
  const way = `restore ${basename(file)}, or use another data directory`;
  throw new StoreError(
    'configuration',
    `${file} is missing or empty, but ${clusters} contains clusters: ${way}`,
  );
}

/**
 * Throws if the data directory contains clusters. Called if a remote database has no record of this data directory's
 * engine host.
 */
export function refuseForeignDatabase(clusters: string): void {
  if (!holdsClusters(clusters)) return;
  const way = 'use the database that they were created with, or another data directory';
  throw new StoreError('configuration', `The database has no record of the clusters in ${clusters}: ${way}`);
}

function holdsClusters(clusters: string): boolean {
  return existsSync(clusters) && readdirSync(clusters).some((name) => !name.startsWith('.'));
}
