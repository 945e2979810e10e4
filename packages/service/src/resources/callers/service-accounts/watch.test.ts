import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { testClock } from '@portolan/foundation/testing';
import type { Services } from '../../services.ts';
import { watchSecrets } from './watch.ts';

test('an account whose warning fails does not prevent the warnings of other accounts', async () => {
  const machine = testClock(Date.UTC(2026, 2, 12));
  const clock = serviceClock(machine);
  const secrets = ['bad', 'good'].map((clientId) => ({
    ...{ clientId, stage: undefined },
    ...{ created: new Date(0), expires: new Date(1) },
  }));
  let writes = 0;
  const store = {
    read: async () => secrets,
    async write() {
      writes += 1;
      if (writes === 1) throw new Error('the account cannot be read');
    },
  };
  const warned: unknown[] = [];
  const log = { ...silentLog(), warn: (fields: object) => warned.push(fields) };
  const engines = { keeps: () => true };
  const watch = watchSecrets({ engines, store, machine, clock, log } as unknown as Services);
  while (writes < 2 && warned.length < 2) {
    machine.advance(10_000);
    await setImmediate();
  }
  await watch.stop();
  assert.deepEqual(warned, [{ clientId: 'bad', reason: 'the account cannot be read' }]);
});
