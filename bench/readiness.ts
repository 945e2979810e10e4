import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type RunningService, startService } from '../packages/portolan/src/tour/process.ts';
import { atMost, type Figure, median, type Part } from './figure.ts';
import { processesOf, residentMemory } from './memory.ts';
import { withPackage } from './packaged.ts';
import { milliseconds, withFolder } from './support.ts';

const STARTS = 7;

/** The time from the start of the process until `ready` with existing data, and the memory of both processes when idle. */
export const readiness: Part = {
  name: 'readiness',
  measure: async () => [
    ...(await figuresOf('from source', { readyMs: 800, serviceMb: 120 })),
    ...(await withPackage((folder) =>
      figuresOf('built', { readyMs: 300, serviceMb: 90 }, join(folder, 'dist/main.js')),
    )),
  ],
};

interface Bounds {
  readonly readyMs: number;
  readonly serviceMb: number;
}

function figuresOf(form: string, bounds: Bounds, main?: string): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const start = () => startService(folder, { main });
    // Start twice without measuring, since the compile cache is empty at first.
    for (let i = 0; i < 2; i++) await (await start()).stop();
    const times: number[] = [];
    for (let i = 0; i < STARTS; i++) {
      const begun = performance.now();
      const service = await start();
      times.push(milliseconds(begun));
      await service.stop();
    }
    const idle = await idleMemory(folder, start);
    return [
      {
        name: `process start until ready, ${form}`,
        value: median(times),
        unit: 'ms',
        target: atMost(bounds.readyMs),
      },
      {
        name: `memory of an idle service, ${form}`,
        value: idle.service,
        unit: 'MB',
        target: atMost(bounds.serviceMb),
      },
      { name: `memory of an idle engine host, ${form}`, value: idle.host, unit: 'MB', target: atMost(100) },
    ];
  });
}

/** The wait before a measurement. A service without requests collects the garbage of its start after two seconds. */
const SETTLE_MS = 5000;

async function idleMemory(
  folder: string,
  start: () => Promise<RunningService>,
): Promise<{ service: number; host: number }> {
  const service = await start();
  await setTimeout(SETTLE_MS);
  const { service: pid, host } = processesOf(folder);
  const memory = { service: residentMemory(pid), host: residentMemory(host) };
  await service.stop();
  return memory;
}
