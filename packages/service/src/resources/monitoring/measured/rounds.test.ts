import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { testClock } from '@portolan/foundation/testing';
import type { Services } from '../../services.ts';
import { sampledRounds } from './rounds.ts';

test('a host that fails does not affect other hosts, and the round ends', async () => {
  const machine = testClock();
  const engines = { reachable: () => ['bad', 'good'], keeps: () => true };
  const reasons: unknown[] = [];
  const log = { ...silentLog(), debug: (...given: unknown[]) => reasons.push(given) };
  const polled: string[] = [];
  let ends = 0;
  const rounds = sampledRounds(
    { engines, machine, clock: serviceClock(machine), log } as unknown as Services,
    {
      failed: 'polling failed',
      async at(host) {
        polled.push(host);
        if (host === 'bad') throw new Error('no reply');
      },
      async end() {
        ends++;
      },
    },
  );
  while (polled.length < 4) {
    machine.advance(10_000);
    await setImmediate();
  }
  await rounds.stop();
  assert.deepEqual(polled.slice(0, 4), ['bad', 'good', 'bad', 'good']);
  assert.ok(ends >= 2, `${ends} rounds ended`);
  assert.deepEqual(reasons[0], [{ reason: 'no reply' }, 'polling failed']);
});
