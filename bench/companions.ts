import { atMost, type Figure, median, type Part } from './figure.ts';
import { startScript } from './support.ts';

const STARTS = 5;
const KINDS = ['portolan/engine', 'portolan/memory-server', 'portolan'];
/** The first one of a process starts a companion, the next one is started by it. */
const FIRST = atMost(500);
const NEXT = atMost(100);

/** What suites of tests start, from the call to the first answer. */
export const companions: Part = {
  name: 'companions',
  async measure() {
    const figures: Figure[] = [];
    for (const kind of KINDS) {
      const times: [number, number][] = [];
      for (let i = 0; i < STARTS; i++) times.push(await startTwice(kind));
      const medianOf = (index: 0 | 1) => median(times.map((each) => each[index]));
      figures.push(
        { name: `${kind}: start to first answer`, value: medianOf(0), unit: 'ms', target: FIRST },
        { name: `${kind}: the second one in a process`, value: medianOf(1), unit: 'ms', target: NEXT },
      );
    }
    return figures;
  },
};

async function startTwice(kind: string): Promise<[number, number]> {
  const script = await startScript('companion-starts.ts', { kind });
  await script.stop();
  return JSON.parse(script.line);
}
