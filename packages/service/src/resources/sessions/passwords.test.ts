import assert from 'node:assert/strict';
import { serviceClock } from '@portolan/foundation/clock';
import { systemRandom } from '@portolan/foundation/random';
import { testClock } from '@portolan/foundation/testing';
import { onEachDatabase } from '@portolan/test-support/databases';
import { migrations } from '../../access/index.ts';
import { openTestStore } from '../../store/testing.ts';
import { family as accounts } from '../accounts/index.ts';
import type { Services } from '../services.ts';
import { MAX_WAITING, PasswordChecks } from './passwords.ts';

onEachDatabase(
  'checks run one after another, and those beyond the limit are rejected',
  async (t, database) => {
    const machine = testClock();
    const all = [...migrations, ...(accounts.migrations ?? [])];
    const store = await openTestStore(t, database, {
      machine,
      clock: serviceClock(machine),
      migrations: all,
    });
    const services = { store, machine, random: systemRandom() } as unknown as Services;
    const checks = new PasswordChecks(services);
    const codes = async (count: number, nameOf: (at: number) => string) => {
      const request = { path: '/console/session', address: '127.0.0.1' };
      const all = Array.from({ length: count }, (_, at) =>
        checks.checkPassword(request, nameOf(at), 'not it'),
      );
      const ends = await Promise.allSettled(all);
      return ends.map((end) => (end.status === 'rejected' ? (end.reason as { code: string }).code : 'known'));
    };
    const many = await codes(MAX_WAITING + 3, (at) => `nobody-${at}`);
    assert.deepEqual(many, [...Array(MAX_WAITING).fill('INVALID_LOGIN'), ...Array(3).fill('RATE_LIMITED')]);
    // Concurrent attempts are counted individually.
    const one = await codes(8, () => 'somebody');
    assert.deepEqual(one, [...Array(5).fill('INVALID_LOGIN'), ...Array(3).fill('RATE_LIMITED')]);
  },
);
