import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/**
 * Full disks for the service and the engine host of a test, which load this file before their own: the service's file or
 * that of a cluster does not grow while the file `disk-is-full` stands beside it, and SQLite answers what it answers
 * when the disk is full.
 */

export const MARK = 'disk-is-full';

/** The environment in which processes load this file. */
export const withFullDisks = { NODE_OPTIONS: `--import=${pathToFileURL(import.meta.filename)}` };

const FILES = new Set(['cluster.db', 'portolan.sqlite']);
const LOOK_MS = 20;
/** SQLite's own bound. */
const MOST_PAGES = 4_294_967_294;

type Sqlite = { DatabaseSync: typeof DatabaseSync };
type Processes = { spawn: (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess };

if (process.env.NODE_OPTIONS?.includes(withFullDisks.NODE_OPTIONS)) {
  const require = createRequire(import.meta.url);
  const sqlite: Sqlite = require('node:sqlite');
  const processes: Processes = require('node:child_process');
  const { spawn } = processes;
  // The service hands little of its environment to the engine host.
  processes.spawn = (command, args, options) =>
    spawn(command, args, { ...options, env: { ...options.env, ...withFullDisks } });
  sqlite.DatabaseSync = class extends sqlite.DatabaseSync {
    constructor(...parameters: ConstructorParameters<typeof DatabaseSync>) {
      super(...parameters);
      const [file] = parameters;
      if (FILES.has(basename(String(file)))) watch(this, join(dirname(String(file)), MARK));
    }
  };
  syncBuiltinESMExports();
}

function watch(database: DatabaseSync, mark: string): void {
  let full = false;
  const look = setInterval(() => {
    if (!database.isOpen) clearInterval(look);
    else if (existsSync(mark) !== full) {
      full = !full;
      // Below what the file has: SQLite takes that instead.
      database.exec(`PRAGMA max_page_count = ${full ? 1 : MOST_PAGES}`);
    }
  }, LOOK_MS);
  look.unref();
}
