import { posix } from 'node:path';

/**
 * The number of files per process: starting a process and loading the modules takes a third of a second of processor
 * time, as much as the tests of most files.
 */
const MAX_FILES = 12;

/**
 * The number of whole-service tests per process: a service on SQLite and two on PostgreSQL take 6 s of CPU time
 * to start. All in one process would make the run wait for it at the end.
 */
const MAX_SHARING = 20;

/**
 * The number of files with services of their own per process: each takes long, and loading the client modules takes a
 * second.
 */
const MAX_WITH_SERVICES = 3;

/** The module with which whole-service tests set up services. */
const SETUPS = 'test/support/setups.ts';

/** Files that start processes of their own, or test the process that they run in; unless they share a service. */
const ALONE = ['test/', 'scripts/', 'packages/engine/src/client/', 'packages/engine/src/host/'];

/** Folders whose files all start an engine host with the same helper. */
const TOGETHER = ['packages/engine/src/client/specifications/'];

/** Facts about the tests of a run. */
export interface FileKinds {
  /** Files that need the database server. */
  readonly waiting: ReadonlySet<string>;
  /** Whole-service tests that can share a service with those of their kind. */
  readonly sharing: ReadonlyMap<string, string>;
  /** Whole-service tests that have services of their own. */
  readonly serving: ReadonlySet<string>;
}

/**
 * Files in the given order, grouped by process: neighbours in the tree of which all or none need the database server.
 */
export function inGroups(files: readonly string[], { waiting, sharing, serving }: FileKinds): string[][] {
  const groups: string[][] = [];
  const open = new Map<string, string[]>();
  for (const file of files) {
    const shared = sharing.get(file);
    const serves = serving.has(file);
    const kind = `${partOf(file)} ${waiting.has(file)} ${shared} ${serves}`;
    const mayShare = shared !== undefined || serves || !isAlone(file);
    const group = mayShare ? open.get(kind) : undefined;
    const most = serves ? MAX_WITH_SERVICES : shared === undefined ? MAX_FILES : MAX_SHARING;
    if (group !== undefined && group.length < most) {
      group.push(file);
      continue;
    }
    const own = [file];
    groups.push(own);
    if (mayShare) open.set(kind, own);
  }
  return groups;
}

function isAlone(file: string): boolean {
  const isBelow = (folder: string) => file.startsWith(folder);
  return ALONE.some(isBelow) && !TOGETHER.some(isBelow);
}

/** `packages/service/src/api`, `packages/engine/src/language` */
function partOf(file: string): string {
  const depth = file.startsWith('packages/') ? 4 : 2;
  return posix.dirname(file).split('/').slice(0, depth).join('/');
}

/** The text of a module that runs test files one after another, each as a suite of its name with its own hooks. */
export function groupModule(root: string, files: readonly string[]): string {
  const suites = files.map((file) => {
    const specifier = JSON.stringify(new URL(file, `file://${root}/`).href);
    return `describe(${JSON.stringify(file)}, async () => { await import(${specifier}); });\n`;
  });
  return `import { describe } from 'node:test';\n${suites.join('')}`;
}

/** Statements before those of `groupModule`: suites that need no service of their own share one in this process. */
export function sharingServices(root: string): string {
  const setups = JSON.stringify(new URL(SETUPS, `file://${root}/`).href);
  return `import { after } from 'node:test';\nimport { shareSetups } from ${setups};\nshareSetups({ after });\n`;
}

/** Statements before those of `groupModule`; they make property tests generate the cases of this seed on every run. */
export function seeded(seed: number): string {
  const library = JSON.stringify(import.meta.resolve('fast-check'));
  return `import fc from ${library};\nfc.configureGlobal({ seed: ${seed} });\n`;
}
