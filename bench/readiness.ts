import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startService } from '../src/tour/process.ts';
import { atMost, median, type Part } from './figure.ts';
import { milliseconds, withFolder } from './support.ts';

const STARTS = 7;

/** From exec to `ready` on data that are there, and what the two processes hold when nobody calls. */
export const readiness: Part = {
  name: 'readiness',
  measure: () =>
    withFolder(async (folder) => {
      await (await startService(folder)).stop();
      const times: number[] = [];
      for (let i = 0; i < STARTS; i++) {
        const start = performance.now();
        const service = await startService(folder);
        times.push(milliseconds(start));
        await service.stop();
      }
      const idle = await idleMemory(folder);
      return [
        { name: 'exec to ready, from source', value: median(times), unit: 'ms', target: atMost(800) },
        { name: 'idle service, resident', value: idle.service, unit: 'MB', target: atMost(120) },
        { name: 'idle engine host, resident', value: idle.host, unit: 'MB', target: atMost(100) },
      ];
    }),
};

const SETTLE_MS = 3000;

async function idleMemory(folder: string): Promise<{ service: number; host: number }> {
  const service = await startService(folder);
  await setTimeout(SETTLE_MS);
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  const host = JSON.parse(readFileSync(join(folder, 'engine', 'host.json'), 'utf8')) as { pid: number };
  const memory = { service: residentMegabytes(pid), host: residentMegabytes(host.pid) };
  await service.stop();
  return memory;
}

/** Linux only; elsewhere not a number. */
function residentMegabytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
