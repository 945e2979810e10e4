import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './finding.ts';
import { parseSource, type Source } from './source.ts';

const FOLDERS = ['packages', 'test', 'bench', 'scripts'];
const CODE = /(?<!\.generated)\.(ts|cjs|mjs|js)$/;

/** The hand-written code below a root, and the files that cannot be parsed. */
export interface Tree {
  readonly root: string;
  readonly sources: readonly Source[];
  readonly unreadable: readonly Finding[];
}

export function readTree(root: string): Tree {
  const sources: Source[] = [];
  const unreadable: Finding[] = [];
  for (const path of codeFiles(root)) {
    try {
      sources.push(parseSource(path, readFileSync(join(root, path), 'utf8')));
    } catch (error) {
      unreadable.push({
        file: path,
        message: `cannot be parsed: ${(error as Error).message.split('\n')[0]}`,
      });
    }
  }
  return { root, sources, unreadable };
}

/** Returns the paths of the hand-written code below a root folder. */
export function codeFiles(root: string): string[] {
  return FOLDERS.filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => filesBelow(root, folder))
    .filter((path) => CODE.test(path));
}

/**
 * Files below a folder, relative to the root and with slashes. Generated files, such as results of benchmarks, are
 * omitted.
 */
export function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !['node_modules', 'dist', 'results'].includes(entry.name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(root, path) : [path];
    });
}

/**
 * Whether a file is a test, or used by tests only: `testing.ts`, `testing-….ts`, and files in `test/` and in folders
 * named `testing`.
 */
export function isTest(path: string): boolean {
  return path.startsWith('test/') || /\.(test|soak)\.ts$|\/testing(-[^/]+)?\.ts$|\/testing\//.test(path);
}
