import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataDirectory } from '../../store/index.ts';
import type { Config } from '../settings.ts';

/** A data directory that this service has locked. */
interface DataDirectory {
  readonly path: string;
  /** Unlocks the directory, and removes it if it is temporary. */
  close(): Promise<void> | void;
}

/** Locks the configured data directory, or creates a temporary one. */
export async function takeDataDirectory(config: Config): Promise<DataDirectory> {
  if (!config.ephemeral) return openDataDirectory(config['data-dir']);
  const path = await mkdtemp(join(tmpdir(), 'portolan-'));
  return { path, close: () => rm(path, { recursive: true, force: true }) };
}
