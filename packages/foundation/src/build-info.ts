import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version of the running package, and the commit from which it was built. */
export interface BuildInfo {
  readonly version: string;
  /** 40 hexadecimal characters; zeros if the commit is unknown. */
  readonly commit: string;
}

/** The names of the packages to find: the two published ones, and the root of a clone. */
const PACKAGES: ReadonlySet<string> = new Set(['@portolan/engine', 'portolan', 'portolan-workspace']);
const UNKNOWN_COMMIT = '0'.repeat(40);

/** Finds the package in the folders above this file: two levels up in a built package, more in a clone. */
export function buildInfo(): BuildInfo {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = readJson(join(folder, 'package.json'));
    if (manifest?.name === undefined || !PACKAGES.has(manifest.name)) continue;
    const built = readJson(join(folder, 'dist', 'build.json'));
    return {
      version: manifest.version ?? '0.0.0',
      commit: built?.commit ?? headOf(folder) ?? UNKNOWN_COMMIT,
    };
  }
  return { version: '0.0.0', commit: UNKNOWN_COMMIT };
}

function readJson(file: string): Record<string, string> | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch {
    return undefined;
  }
}

function headOf(folder: string): string | undefined {
  try {
    const head = readFileSync(join(folder, '.git', 'HEAD'), 'utf8').trim();
    const commit = head.startsWith('ref: ')
      ? readFileSync(join(folder, '.git', head.slice(5)), 'utf8').trim()
      : head;
    return /^[a-f0-9]{40}$/.test(commit) ? commit : undefined;
  } catch {
    // There is no Git checkout, or its references are packed.
    return undefined;
  }
}
