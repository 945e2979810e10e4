import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { targetOf, type WorkspacePackage, workspacePackages } from '../check/packages.ts';
import { codeFiles } from '../check/tree.ts';

/** A hand-written file, as far as it tells which tests belong together. */
export interface Text {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly text: string;
  /** The files of the tree that it imports. */
  readonly imports: readonly string[];
}

/** `import '…'`, `from '…'`, `import('…')`, types as well. */
const IMPORT = /\b(?:import|from)\s*\(?\s*'([^'\n]+)'/g;

export function textOf(path: string, text: string, packages: readonly WorkspacePackage[] = []): Text {
  const targets = [...text.matchAll(IMPORT)].map(([, specifier = '']) => targetOf(path, specifier, packages));
  return { path, text, imports: targets.filter((target) => target !== undefined) };
}

/**
 * All files of a tree. Parsing them, as the checks do, took 5 s of every run, and this takes 0.1: a comment that reads
 * like an import lets a test wait that need not, and does no other harm.
 */
export function readTexts(root: string): Text[] {
  const packages = workspacePackages(root);
  return codeFiles(root).map((path) => textOf(path, readFileSync(join(root, path), 'utf8'), packages));
}
