import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAbsent } from '@portolan/foundation/thrown';
import type { HostFile } from './protocol.ts';

/** The folder of the embedded engine's files. */
export function engineDirectory(dataDir: string): string {
  return join(dataDir, 'engine');
}

/** The folder that has one folder per cluster. */
export function clustersDirectory(dataDir: string): string {
  return join(engineDirectory(dataDir), 'clusters');
}

/** Not `recursive`: throws if the data directory no longer exists. */
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
 * Whether the host file of this token is gone or belongs to another host. Throws if that is unknown, for example
 * because the process has no file descriptors left.
 */
export function isHostFileGone(dataDir: string, token: string): boolean {
  try {
    const file: Partial<HostFile> = JSON.parse(readFileSync(hostFilePath(dataDir), 'utf8'));
    return file.token !== token;
  } catch (error) {
    if (isAbsent(error)) return true;
    throw error;
  }
}

/** The file of the host that runs, or ran, in a data directory; undefined if it is absent or unreadable. */
export function readHostFile(dataDir: string): HostFile | undefined {
  try {
    const file: HostFile = JSON.parse(readFileSync(hostFilePath(dataDir), 'utf8'));
    return typeof file.port === 'number' && typeof file.token === 'string' ? file : undefined;
  } catch {
    return undefined;
  }
}
