/** Helpers for the tests of the scripts. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';

const project = dirname(import.meta.dirname);

/** Files by path. Objects are written as JSON. */
export type Files = Readonly<Record<string, string | object>>;

export function writeFiles(root: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

/** Creates a folder with these files. It is removed after the test. */
export function folderWith(t: TestContext, files: Files): string {
  const root = mkdtempSync(join(tmpdir(), 'scripts-'));
  t.after(() => rmSync(root, { recursive: true }));
  writeFiles(root, files);
  return root;
}

/** Creates a project with these files, and with the scripts and dependencies of this project. */
export function projectWith(t: TestContext, files: Files): string {
  const root = folderWith(t, { 'package.json': { type: 'module' }, ...files });
  const isNoTest = (path: string) => !path.endsWith('.test.ts');
  cpSync(join(project, 'scripts'), join(root, 'scripts'), { recursive: true, filter: isNoTest });
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'), 'junction');
  return root;
}
