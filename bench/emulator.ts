import type { Bootstrap } from '../packages/service/src/boot/bootstrap.ts';
import { saturation } from './cost.ts';
import { atLeast, type Figure, median, type Part } from './figure.ts';
import { callerOf, createIdle } from './measured-caller.ts';
import { type RunningScript, startScript, startServed, withFolder } from './support.ts';

const ROUNDS = 3;

/** Number of requests per token. Beyond it, the emulator rejects the token for an hour. */
const LIMIT = 5000;

/**
 * Reading a cluster without TLS at full load, compared with a third-party emulator, which neither checks credentials
 * nor runs a database. The two are measured alternately.
 */
export const emulator: Part = {
  name: 'emulator',
  measure: () =>
    withFolder(async (folder) => {
      const service = await startServed(folder, true);
      const other = await startScript('emulator-server.ts', {});
      try {
        return [await measured(JSON.parse(service.line) as Bootstrap, other)];
      } finally {
        await other.stop();
        await service.stop();
      }
    }),
};

async function measured(bootstrap: Bootstrap, other: RunningScript): Promise<Figure> {
  const caller = await callerOf(bootstrap);
  const clusters = `${caller.project}/clusters`;
  await createIdle(caller, clusters, 'measured');
  const { authorization = '', accept = '' } = caller.headers;
  const ours = {
    url: `${caller.origin}${clusters}/measured`,
    headers: { accept },
    authorization: () => authorization,
  };
  let requestCount = 0;
  const theirs = {
    url: other.line,
    authorization: () => `Bearer ${Math.floor(requestCount++ / (LIMIT - 1))}`,
  };
  const rates: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round++) rates.push([await saturation(ours), await saturation(theirs)]);
  return {
    name: 'GET a cluster, Bearer, without TLS, 32 callers',
    value: median(rates.map(([own]) => own)),
    unit: '/s',
    baseline: { name: 'npm package emulate 0.12', value: median(rates.map(([, its]) => its)) },
    target: atLeast(1, 'ratio'),
  };
}
