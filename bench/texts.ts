import { mainThreadMs } from '@portolan/test-support/main-thread';
import { scopeOf } from '@portolan/test-support/service';
import { openSetup } from '@portolan/test-support/setups';
import { hostileRequests } from '@portolan/test-support/torture/hostile-requests';
import { atMost, type Figure, type Part } from './figure.ts';

/** Maximum CPU time of a request. It usually takes some 5 ms. The first time, compiling the code takes up to 300 ms. */
const MAX_MS = 1_000;

/** The longest CPU time of the service's main thread for a request that contains a hostile text. */
export const texts: Part = {
  name: 'texts',
  async measure(): Promise<Figure[]> {
    const undo: (() => unknown)[] = [];
    const scope = scopeOf({ after: (run) => void undo.push(run) });
    let longest = 0;
    try {
      const setup = await openSetup(scope, 'SQLite, one instance');
      const pid = setup.instances[0]?.pid ?? 0;
      for await (const request of hostileRequests(setup)) {
        const before = mainThreadMs(pid);
        await request.send();
        longest = Math.max(longest, mainThreadMs(pid) - before);
      }
    } finally {
      for (const run of undo) await run();
    }
    const name = 'longest CPU time of a request with a hostile text';
    return [{ name, value: longest, unit: 'ms', target: atMost(MAX_MS) }];
  },
};
