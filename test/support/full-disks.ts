import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { existsSync, type openSync as openNow } from 'node:fs';
import type { open as openLater } from 'node:fs/promises';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { backup as copyDatabase, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/**
 * Simulates full disks for the service and the engine host of a test, which preload this file. A full disk is marked by
 * a file named `disk-is-full` next to the database of the service or of a cluster. While this file exists, the database
 * cannot grow, and SQLite returns its error for a full disk. Files cannot be written to a folder `snapshots` or
 * `temporary` near such a file either (`isFull`).
 */

export const MARK = 'disk-is-full';

/** Environment variables that make Node preload this file. */
export const withFullDisks = { NODE_OPTIONS: `--import=${pathToFileURL(import.meta.filename)}` };

const FILES = new Set(['cluster.db', 'portolan.sqlite']);
const POLL_INTERVAL_MS = 20;
/** The highest limit that SQLite accepts. */
const MAX_PAGES = 4_294_967_294;

type Sqlite = { DatabaseSync: typeof DatabaseSync; backup: typeof copyDatabase };
type Files = {
  openSync: typeof openNow;
  writeSync: (file: number, ...more: unknown[]) => number;
};
type Processes = { spawn: (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess };

if (process.env.NODE_OPTIONS?.includes(withFullDisks.NODE_OPTIONS)) {
  const require = createRequire(import.meta.url);
  const sqlite: Sqlite = require('node:sqlite');
  const processes: Processes = require('node:child_process');
  const { spawn } = processes;
  // Pass on the variable, since the service passes only a part of its environment to the engine host.
  processes.spawn = (command, args, options) =>
    spawn(command, args, { ...options, env: { ...options.env, NODE_OPTIONS: process.env.NODE_OPTIONS } });
  sqlite.DatabaseSync = class extends sqlite.DatabaseSync {
    constructor(...parameters: ConstructorParameters<typeof DatabaseSync>) {
      super(...parameters);
      const [file] = parameters;
      if (FILES.has(basename(String(file)))) watch(this, join(dirname(String(file)), MARK));
    }
  };
  const { backup } = sqlite;
  sqlite.backup = (source, path, options) =>
    isFull(String(path)) ? Promise.reject(sqliteIsFull()) : backup(source, path, options);
  fillFiles(require('node:fs/promises'), require('node:fs'));
  syncBuiltinESMExports();
}

function fillFiles(promises: { open: typeof openLater }, files: Files): void {
  const { open } = promises;
  promises.open = async (path, ...more) => {
    const file = await open(path, ...more);
    const { writeFile } = file;
    file.writeFile = (...content) =>
      isFull(String(path)) ? Promise.reject(isFullError()) : writeFile.apply(file, content);
    return file;
  };
  const { openSync, writeSync } = files;
  const paths = new Map<number, string>();
  files.openSync = (path, ...more) => {
    const file = openSync(path, ...more);
    paths.set(file, String(path));
    return file;
  };
  files.writeSync = (file, ...more) => {
    if (isFull(paths.get(file))) throw isFullError();
    return writeSync(file, ...more);
  };
}

/**
 * How many folders above a file to search for the marker. With this number, the marker works for a cluster and for the
 * snapshot store.
 */
const LEVELS = 3;

function isFull(path: string | undefined): boolean {
  if (path === undefined || !/\/(snapshots|temporary)\//.test(path)) return false;
  let folder = path;
  for (let level = 0; level < LEVELS; level++) {
    folder = dirname(folder);
    if (existsSync(join(folder, MARK))) return true;
  }
  return false;
}

const isFullError = () =>
  Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 });
const sqliteIsFull = () =>
  Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });

function watch(database: DatabaseSync, mark: string): void {
  let full = false;
  const look = setInterval(() => {
    if (!database.isOpen) clearInterval(look);
    else if (existsSync(mark) !== full) {
      full = !full;
      // If the limit is below the present size, SQLite raises it to that size.
      database.exec(`PRAGMA max_page_count = ${full ? 1 : MAX_PAGES}`);
    }
  }, POLL_INTERVAL_MS);
  look.unref();
}
