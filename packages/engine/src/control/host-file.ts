import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostFile } from './protocol.ts';

/** Where the embedded engine keeps its files. */
export function engineDirectory(dataDir: string): string {
  return join(dataDir, 'engine');
}

/** Where each cluster has a folder of its own. */
export function clustersDirectory(dataDir: string): string {
  return join(engineDirectory(dataDir), 'clusters');
}

/** Not `recursive`: a data directory that is gone stays gone, and this throws. */
export function makeEngineDirectory(dataDir: string): void {
  try {
    mkdirSync(engineDirectory(dataDir), { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

export function hostFilePath(dataDir: string): string {
  return join(engineDirectory(dataDir), 'host.json');
}

/**
 * Whether the file of the host that has this token is there no more, or is another's. Throws where that cannot be told:
 * a system that has no file left to open says nothing of those that there are.
 */
export function isHostFileGone(dataDir: string, token: string): boolean {
  try {
    const file: Partial<HostFile> = JSON.parse(readFileSync(hostFilePath(dataDir), 'utf8'));
    return file.token !== token;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return true;
    throw error;
  }
}

/** The file of the host that runs, or ran, in a data directory; none when it is absent or cannot be read. */
export function readHostFile(dataDir: string): HostFile | undefined {
  try {
    const file: HostFile = JSON.parse(readFileSync(hostFilePath(dataDir), 'utf8'));
    return typeof file.port === 'number' && typeof file.token === 'string' ? file : undefined;
  } catch {
    return undefined;
  }
}
