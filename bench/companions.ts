import { atMost, type Figure, median, type Part } from './figure.ts';
import { withPackage } from './packaged.ts';
import { startScript } from './support.ts';

const STARTS = 5;
const KINDS = ['portolan/engine', 'portolan/memory-server', 'portolan'];
/** Limits in milliseconds. The first start in a process also starts a companion, which later starts use. */
const FIRST = atMost(500);
const NEXT = atMost(100);

/** Starts of databases and services in test suites that use the package, from the call to the first reply. */
export const companions: Part = {
  name: 'companions',
  measure: () =>
    withPackage(async (folder) => {
      const figures: Figure[] = [];
      for (const kind of KINDS) figures.push(...(await startsOf(kind, folder)));
      return figures;
    }),
};

async function startsOf(kind: string, folder: string): Promise<Figure[]> {
  // Start once without measuring, since the compile cache is empty after an installation.
  await startTwice(kind, folder);
  const times: [number, number][] = [];
  for (let i = 0; i < STARTS; i++) times.push(await startTwice(kind, folder));
  const medianOf = (index: 0 | 1) => median(times.map((each) => each[index]));
  return [
    { name: `${kind}: start to first response`, value: medianOf(0), unit: 'ms', target: FIRST },
    { name: `${kind}: second start in a process`, value: medianOf(1), unit: 'ms', target: NEXT },
  ];
}

async function startTwice(kind: string, folder: string): Promise<[number, number]> {
  const script = await startScript('companion-starts.ts', { kind, folder });
  await script.stop();
  return JSON.parse(script.line);
}
