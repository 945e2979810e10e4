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

/** The folder that one running service has to itself. */
export interface DataDirectory {
  /** Absolute. */
  readonly path: string;
  /** Gives it free; so does the end of the process, however it ends. */
  close(): void;
}

/** See `lockFile`: nothing else may open it. */
const LOCK = 'lock';
/** Milliseconds for which a start waits for one that only asks whether the lock is held (`ownerOf`). */
const PROBE_MS = 100;
/** Tells who holds the lock. */
const OWNER = 'pid';

/** Makes the folder where it is missing, and locks it. Throws a `StoreError` with one clear sentence. */
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

/** The process that has a data directory in use; undefined when none has. */
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

/** `recursive` of `mkdirSync` never returns where a file system refuses new names with ENOENT, as /proc does. */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (!existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another start may have made it in between.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'a part of the path cannot be made',
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

/** Answers how to release the lock; undefined when somebody has it. */
function lock(path: string, timeout: number): (() => void) | undefined {
  const file = join(path, LOCK);
  try {
    return lockFile(file, timeout);
  } catch (error) {
    throw sqliteError(error, file);
  }
}

/**
 * Throws where the database of a data directory that holds clusters is missing or empty: a new one would come with new
 * keys, and would know nothing of them.
 */
export function refuseLostDatabase(file: string, clusters: string): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0 || !holdsClusters(clusters)) return;
  const way = `put ${basename(file)} back, or use another data directory`;
  throw new StoreError(
    'configuration',
    `${file} is missing or empty, and ${clusters} holds clusters: ${way}`,
  );
}

/** The same for a database that is elsewhere, and that does not know the engine host of the data directory. */
export function refuseForeignDatabase(clusters: string): void {
  if (!holdsClusters(clusters)) return;
  const way = 'start with the database that they were made with, or use another data directory';
  throw new StoreError('configuration', `The database knows nothing of the clusters in ${clusters}: ${way}`);
}

function holdsClusters(clusters: string): boolean {
  return existsSync(clusters) && readdirSync(clusters).some((name) => !name.startsWith('.'));
}
