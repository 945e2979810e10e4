import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { accessToken } from './authentication.ts';
import type { Figure, Part } from './figure.ts';
import { load } from './load.ts';
import { milliseconds, withFolder, withService } from './support.ts';

const WANTED_PER_SECOND = 3000;
const PER_SYNC = 5;

/**
 * The rate at which 32 callers create projects, compared with the number of syncs per second of the disk. Each project
 * is durable before its response.
 */
export const writes: Part = {
  name: 'writes',
  async measure(): Promise<Figure[]> {
    const syncs = await withFolder(async (folder) => syncsPerSecond(join(folder, 'synced')));
    const { perSecond, p99 } = await withService(async (service) => {
      let number = 0;
      const { orgId, url } = service.bootstrap;
      return load({
        url: `${url}/api/service/v2/groups`,
        method: 'POST',
        headers: {
          authorization: `Bearer ${await accessToken(service)}`,
          'content-type': 'application/json',
        },
        body: () => JSON.stringify({ name: `Project ${++number}`, orgId }),
      });
    });
    const bound = Math.min(WANTED_PER_SECOND, PER_SYNC * syncs);
    return [
      {
        name: 'create a project, 32 callers',
        value: perSecond,
        unit: '/s',
        baseline: { name: 'fdatasync', value: syncs },
        target: { of: 'value', bound, better: 'higher' },
      },
      { name: 'p99 of create a project, 32 callers', value: p99, unit: 'ms' },
    ];
  },
};

const SYNC_MS = 2000;

function syncsPerSecond(file: string): number {
  const handle = openSync(file, 'w');
  const page = Buffer.alloc(4096, 1);
  const start = performance.now();
  let count = 0;
  while (milliseconds(start) < SYNC_MS) {
    writeSync(handle, page, 0, page.length, (count % 256) * page.length);
    fdatasyncSync(handle);
    count++;
  }
  closeSync(handle);
  return count / (milliseconds(start) / 1000);
}
