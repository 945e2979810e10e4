import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostFile } from './protocol.ts';

/** Where the embedded engine keeps its files. */
export function engineDirectory(dataDir: string): string {
  return join(dataDir, 'engine');
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

/** The file of the host that runs, or ran, in a data directory; none when it is absent or cannot be read. */
export function readHostFile(dataDir: string): HostFile | undefined {
  try {
    const file: HostFile = JSON.parse(readFileSync(hostFilePath(dataDir), 'utf8'));
    return typeof file.port === 'number' && typeof file.token === 'string' ? file : undefined;
  } catch {
    return undefined;
  }
}
