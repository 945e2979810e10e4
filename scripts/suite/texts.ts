import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { targetOf, type WorkspacePackage, workspacePackages } from '../check/packages.ts';
import { codeFiles } from '../check/tree.ts';

/** A hand-written file, with what is needed to group tests. */
export interface Text {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly text: string;
  /** The files of the tree that it imports. */
  readonly imports: readonly string[];
}

/** `import '…'`, `from '…'`, `import('…')`, including types. */
const IMPORT = /\b(?:import|from)\s*\(?\s*'([^'\n]+)'/g;

export function textOf(path: string, text: string, packages: readonly WorkspacePackage[] = []): Text {
  const targets = [...text.matchAll(IMPORT)].map(([, specifier = '']) => targetOf(path, specifier, packages));
  return { path, text, imports: targets.filter((target) => target !== undefined) };
}

/**
 * All files of a tree, with imports found by a regular expression. Parsing, as in the checks, took 5 s per run instead
 * of 0.1; a comment that looks like an import can only make a test wait for the database server.
 */
export function readTexts(root: string): Text[] {
  const packages = workspacePackages(root);
  return codeFiles(root).map((path) => textOf(path, readFileSync(join(root, path), 'utf8'), packages));
}
