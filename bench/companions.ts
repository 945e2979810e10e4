import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { atMost, type Figure, median, type Part, type Target } from './figure.ts';
import { withPackage } from './packaged.ts';
import { startScript } from './support.ts';

const LATER_STARTS = 5;
const FIRST_STARTS = 10;
/** The packages, with the limit for the duration of a start in milliseconds. */
const KINDS = { 'portolan/engine': 400, 'portolan/memory-server': 400, portolan: 500 };
/**
 * The target of the second and later starts in a process. The first start also starts a companion, and the later starts
 * use it.
 */
const NEXT = atMost(100);

/** Starts of databases and services in test suites that use the package, from the call to the first reply. */
export const companions: Part = {
  name: 'companions',
  measure: () =>
    withPackage(async (folder) => {
      const figures: Figure[] = [];
      for (const [kind, limit] of Object.entries(KINDS))
        figures.push(...(await startsOf(kind, folder, limit)));
      return figures;
    }),
};

async function startsOf(kind: string, folder: string, limit: number): Promise<Figure[]> {
  const first = await repeated(FIRST_STARTS, () => {
    // Remove the compile cache, since it is empty after an installation.
    rmSync(join(folder, '.cache'), { recursive: true, force: true });
    return startTwice(kind, folder);
  });
  const later = await repeated(LATER_STARTS, () => startTwice(kind, folder));
  const figure = (name: string, times: readonly number[], target: Target): Figure => ({
    name: `${kind}: ${name}`,
    value: median(times),
    unit: 'ms',
    target,
  });
  const starts = (times: readonly (readonly [number, number])[]) => times.map(([start]) => start);
  return [
    figure('start to first response', starts(later), atMost(limit)),
    figure('start to first response, first process after an installation', starts(first), atMost(limit)),
    figure(
      'second start in a process',
      later.map(([, second]) => second),
      NEXT,
    ),
  ];
}

async function repeated<T>(times: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let i = 0; i < times; i++) results.push(await work());
  return results;
}

async function startTwice(kind: string, folder: string): Promise<[number, number]> {
  const script = await startScript('companion-starts.ts', { kind, folder });
  await script.stop();
  return JSON.parse(script.line);
}
