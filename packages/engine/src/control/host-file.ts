import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAbsent } from '@portolan/foundation/thrown';
import type { HostFile } from './protocol.ts';

/** Returns the folder for the files of the embedded engine. */
export function engineDirectory(dataDir: string): string {
  return join(dataDir, 'engine');
}

/** Returns the folder that contains one folder per cluster. */
export function clustersDirectory(dataDir: string): string {
  return join(engineDirectory(dataDir), 'clusters');
}

/**
 * Creates the folder of the engine. Throws if the data directory no longer exists; therefore `recursive` is not set.
 */
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
 * True if the file of the host with this token no longer exists, or belongs to another host. Throws if this cannot be
 * determined, for example because no file descriptors are left.
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

/**
 * Reads the file of the host that last ran in a data directory. Returns undefined if the file is missing or unreadable.
 */
export function readHostFile(dataDir: string): HostFile | undefined {
  try {
    const file: HostFile = JSON.parse(readFileSync(hostFilePath(dataDir), 'utf8'));
    return typeof file.port === 'number' && typeof file.token === 'string' ? file : undefined;
  } catch {
    return undefined;
  }
}
