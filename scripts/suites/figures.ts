import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Comparison } from './compare.ts';

/** The results of one run of a suite. */
export interface Figures {
  /** The version of the client's repository; absent if it is not a clone. */
  readonly version?: string;
  readonly date: string;
  readonly passed: number;
  /** The number of known failures that occurred. */
  readonly failed: number;
  readonly skipped: number;
}

const FILE = join(import.meta.dirname, 'figures.json');

export function readFigures(): Readonly<Record<string, Figures>> {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

export function keepFigures(name: string, source: string, comparison: Comparison): void {
  const { passed, expected, skipped } = comparison;
  const date = new Date().toISOString().slice(0, 10);
  const figures: Figures = { ...versionOf(source), date, passed, failed: expected.length, skipped };
  const all = Object.entries({ ...readFigures(), [name]: figures });
  const sorted = Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(FILE, `${JSON.stringify(sorted, undefined, 2)}\n`);
}

function versionOf(source: string): { readonly version?: string } {
  try {
    const options = { cwd: source, encoding: 'utf8' } as const;
    return { version: execFileSync('git', ['describe', '--tags', '--always'], options).trim() };
  } catch {
    return {};
  }
}
