import { isLong } from './long.ts';
import type { Text } from './texts.ts';

export interface FileChoice {
  /** Parts of paths; if there are any, only files whose path contains one of them are chosen. */
  readonly filters: readonly string[];
  /** Without filters, selects the long tests, or all other tests. */
  readonly isLong: boolean;
}

/** Returns the chosen test files of a tree. */
export function testFiles(sources: readonly Text[], choice: FileChoice): string[] {
  const { filters } = choice;
  const isChosen = (path: string) =>
    filters.length === 0 ? isLong(path) === choice.isLong : filters.some((filter) => path.includes(filter));
  return sources.map(({ path }) => path).filter((path) => path.endsWith('.test.ts') && isChosen(path));
}

/** Returns the files that contain this text, and all files that import them directly or indirectly. */
export function filesThatUse(sources: readonly Text[], setting: string): Set<string> {
  const importers = new Map<string, string[]>();
  for (const { path, imports } of sources) {
    for (const target of imports) importers.set(target, [...(importers.get(target) ?? []), path]);
  }
  const users = new Set<string>();
  const queue = sources.filter(({ text }) => text.includes(setting)).map(({ path }) => path);
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (users.has(path)) continue;
    users.add(path);
    queue.push(...(importers.get(path) ?? []));
  }
  return users;
}

/**
 * Whole-service tests that can share a service with others of the same kind, since none of their suites needs a service
 * of its own. There are two kinds: tests that move the clock, and tests that do not.
 */
export function filesThatShare(sources: readonly Text[]): Map<string, string> {
  const users = filesThatUse(sources, 'function shareSetups(');
  const sharing = sources.filter(
    ({ path, text }) => users.has(path) && path.endsWith('.test.ts') && !text.includes('own.on'),
  );
  return new Map(sharing.map(({ path, text }) => [path, text.includes('timed.on') ? 'timed' : 'shared']));
}

/** Whole-service tests that need their own services, but that can run in one process. */
export function filesWithServices(sources: readonly Text[]): Set<string> {
  const sharing = filesThatShare(sources);
  const users = [...filesThatUse(sources, 'function shareSetups(')];
  return new Set(users.filter((path) => path.endsWith('.test.ts') && !sharing.has(path)));
}

/**
 * Sorts files: whole-service tests come first, since they take longest and would otherwise run alone at the end. Among
 * equals, files that do not need the database server come first, since it is still starting.
 */
export function inOrder(files: readonly string[], waiting: ReadonlySet<string>): string[] {
  const place = (file: string) => Number(!file.startsWith('test/')) * 2 + Number(waiting.has(file));
  return files.toSorted((a, b) => place(a) - place(b));
}
