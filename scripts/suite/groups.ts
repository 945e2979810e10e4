import { posix } from 'node:path';
import { isLong } from './long.ts';

/**
 * Maximum number of files per process. Starting a process and loading the modules takes a third of a second of
 * CPU time, as much as the tests of most files.
 */
const MAX_FILES = 12;

/**
 * Maximum number of files per process, for whole-service tests that share services. Starting one service on SQLite and
 * two on PostgreSQL takes 6 s of CPU time. If a single process ran all of these tests, the run would have to wait for
 * it at the end. Clusters keep their ports until the process ends, and a service has 298 ports for them: 24 files have
 * used up to 283.
 */
const MAX_SHARING = 16;

/**
 * Maximum number of long files per process, for whole-service tests that share services. Each of them takes longer, and
 * creates more clusters.
 */
const MAX_LONG_SHARING = 6;

/**
 * Maximum number of files per process, for files that need their own services. Each file takes long, and loading the
 * client modules takes a second.
 */
const MAX_WITH_SERVICES = 3;

/**
 * Maximum number of files per process, for files that start engine hosts or programs, each of which takes long.
 */
const MAX_WITH_HOSTS = 4;

/** The module that whole-service tests use to start services. */
const SETUPS = 'test/support/setups.ts';

/**
 * Files that run alone in a process, unless they share a service: they start processes, or test the process in which
 * they run.
 */
const ALONE = ['test/', 'scripts/'];

/** Folders whose files start engine hosts or programs. */
const WITH_HOSTS = [
  'packages/engine/src/client/',
  'packages/engine/src/host/',
  'packages/service/src/adopted/',
];

/** Folders whose files run in one process, since all of them start an engine host with the same helper. */
const TOGETHER = ['packages/engine/src/client/specifications/'];

/** The kinds of test files in a run. */
export interface FileKinds {
  /** Files whose tests need the database server. */
  readonly waiting: ReadonlySet<string>;
  /** Whole-service tests that can share a service with others, by kind. */
  readonly sharing: ReadonlyMap<string, string>;
  /** Whole-service tests that need their own services. */
  readonly serving: ReadonlySet<string>;
}

/**
 * Groups files by process, in the given order. The files of a group are neighbours in the tree. Either all or none of
 * them need the database server.
 */
export function inGroups(files: readonly string[], { waiting, sharing, serving }: FileKinds): string[][] {
  const groups: string[][] = [];
  const open = new Map<string, string[]>();
  for (const file of files) {
    const shared = sharing.get(file);
    const serves = serving.has(file);
    const most = serves ? MAX_WITH_SERVICES : shared === undefined ? mostOf(file) : mostSharing(file);
    const kind = `${partOf(file)} ${waiting.has(file)} ${shared} ${most}`;
    const group = open.get(kind);
    if (group !== undefined && group.length < most) {
      group.push(file);
      continue;
    }
    const own = [file];
    groups.push(own);
    open.set(kind, own);
  }
  return groups;
}

function mostSharing(file: string): number {
  return isLong(file) ? MAX_LONG_SHARING : MAX_SHARING;
}

/** Returns the maximum number of files in the process of a file that uses no shared service. */
function mostOf(file: string): number {
  const isBelow = (folder: string) => file.startsWith(folder);
  if (TOGETHER.some(isBelow)) return MAX_FILES;
  if (ALONE.some(isBelow)) return 1;
  return WITH_HOSTS.some(isBelow) ? MAX_WITH_HOSTS : MAX_FILES;
}

/**
 * Returns the part of the tree that a file belongs to, such as `packages/service/src/api` or
 * `packages/engine/src/language`.
 */
function partOf(file: string): string {
  const depth = file.startsWith('packages/') ? 4 : 2;
  return posix.dirname(file).split('/').slice(0, depth).join('/');
}

/**
 * Returns the text of a module that runs test files one after another. Each file is a suite with the file's name and
 * its own hooks.
 */
export function groupModule(root: string, files: readonly string[]): string {
  const suites = files.map((file) => {
    const specifier = JSON.stringify(new URL(file, `file://${root}/`).href);
    return `describe(${JSON.stringify(file)}, async () => { await import(${specifier}); });\n`;
  });
  return `import { describe } from 'node:test';\n${suites.join('')}`;
}

/**
 * Statements to put before those of `groupModule`. They make suites that do not need their own service share one in
 * this process.
 */
export function sharingServices(root: string): string {
  const setups = JSON.stringify(new URL(SETUPS, `file://${root}/`).href);
  return `import { after } from 'node:test';\nimport { shareSetups } from ${setups};\nshareSetups({ after });\n`;
}

/**
 * Statements to put before those of `groupModule`. They make property tests generate the same cases in every run, from
 * this seed.
 */
export function seeded(seed: number): string {
  const library = JSON.stringify(import.meta.resolve('fast-check'));
  return `import fc from ${library};\nfc.configureGlobal({ seed: ${seed} });\n`;
}
