import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostFile } from './protocol.ts';

/** Where the embedded engine keeps its files. */
export function engineDirectory(dataDir: string): string {
  return join(dataDir, 'engine');
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
