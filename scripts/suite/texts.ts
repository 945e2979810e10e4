import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { targetOf, type WorkspacePackage, workspacePackages } from '../check/packages.ts';
import { codeFiles } from '../check/tree.ts';

/** A hand-written file, with the facts by which tests are grouped. */
export interface Text {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly text: string;
  /** The files of the tree that this file imports. */
  readonly imports: readonly string[];
}

/** Matches `import '…'`, `from '…'` and `import('…')`, including imports of types. */
const IMPORT = /\b(?:import|from)\s*\(?\s*'([^'\n]+)'/g;

export function textOf(path: string, text: string, packages: readonly WorkspacePackage[] = []): Text {
  const targets = [...text.matchAll(IMPORT)].map(([, specifier = '']) => targetOf(path, specifier, packages));
  return { path, text, imports: targets.filter((target) => target !== undefined) };
}

/**
 * Reads all files of a tree, and finds their imports with a regular expression. This takes 0.1 s; parsing the files, as
 * the checks do, took 5 s. A comment that looks like an import can at worst make a test wait for the database server.
 */
export function readTexts(root: string): Text[] {
  const packages = workspacePackages(root);
  return codeFiles(root).map((path) => textOf(path, readFileSync(join(root, path), 'utf8'), packages));
}
