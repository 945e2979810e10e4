import { statfs } from 'node:fs/promises';
import type { EmbeddedEngine } from '@portolan/engine/management';
import type { Services } from '../../resources/services.ts';
import { troubleOfStore } from '../../store/index.ts';

/** Minimum free space in bytes. With less free space, a database may fail to write a change. */
const MIN_FREE = 4 * 1024 * 1024;

interface Parts {
  readonly engine: EmbeddedEngine;
  readonly services: Pick<Services, 'store' | 'engines'>;
  readonly dataDirectory: string;
}

/** Returns why the service is not ready; undefined if it is ready. */
export async function troubleOf({ engine, services, dataDirectory }: Parts): Promise<string | undefined> {
  const { store, engines } = services;
  if (!engine.connected) return 'the engine host cannot be reached';
  if (engines.silent().includes(engines.local)) return 'the engine host does not answer';
  const kind = await store.trouble();
  if (kind !== undefined) return troubleOfStore(kind) ?? 'the database is not usable';
  const { bavail, bsize } = await statfs(dataDirectory);
  return bavail * bsize < MIN_FREE ? 'the disk with the data directory is full' : undefined;
}
