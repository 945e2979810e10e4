import { posix } from 'node:path';

/**
 * So many files share a process: starting one and loading the modules takes a third of a second of processor time, as
 * much as the tests of most files.
 */
const MOST = 12;

/**
 * So many whole-service tests: a service on SQLite and two on PostgreSQL take 6 s of processor time to start. With all
 * of them in one process a run would wait for it in the end.
 */
const MOST_SHARING = 20;

/** So many of those that have services of their own: each takes long, and loading what calls services takes a second. */
const MOST_WITH_SERVICES = 3;

/** What the whole-service tests are set up with. */
const SETUPS = 'test/support/setups.ts';

/** Files that start processes of their own, or are about the process that they run in; unless they share a service. */
const ALONE = ['test/', 'scripts/', 'packages/engine/src/client/', 'packages/engine/src/host/'];

/** Below those, files of one kind: each starts an engine host by the same helper. */
const TOGETHER = ['packages/engine/src/client/specifications/'];

/** What tells of the tests of a run. */
export interface FileKinds {
  /** Those that wait for the database. */
  readonly waiting: ReadonlySet<string>;
  /** Whole-service tests that may have a service together, with those of their kind. */
  readonly sharing: ReadonlyMap<string, string>;
  /** Whole-service tests that have services of their own. */
  readonly serving: ReadonlySet<string>;
}

/**
 * Files in the order given, those that may share a process together: neighbours of one part of the tree, of which all
 * or none wait for the database.
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
    const most = serves ? MOST_WITH_SERVICES : shared === undefined ? MOST : MOST_SHARING;
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

/** The text of a module that runs test files one after the other, each as a suite of its name, with hooks of its own. */
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

/** Statements before those of `groupModule`: property tests draw the same cases on every run with this seed. */
export function seeded(seed: number): string {
  const library = JSON.stringify(import.meta.resolve('fast-check'));
  return `import fc from ${library};\nfc.configureGlobal({ seed: ${seed} });\n`;
}
