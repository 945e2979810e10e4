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
  'checks run one after another, and those of an address beyond its limit are rejected',
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
    const codes = async (count: number, nameOf: (at: number) => string, address = '127.0.0.1') => {
      const request = { path: '/console/session', address };
      const all = Array.from({ length: count }, (_, at) =>
        checks.checkPassword(request, nameOf(at), 'not it'),
      );
      const ends = await Promise.allSettled(all);
      return ends.map((end) => (end.status === 'rejected' ? (end.reason as { code: string }).code : 'known'));
    };
    // One check runs while the others wait.
    const taken = [...Array(MAX_WAITING + 1).fill('INVALID_LOGIN'), ...Array(3).fill('RATE_LIMITED')];
    const ended: string[] = [];
    const many = codes(MAX_WAITING + 4, (at) => `nobody-${at}`).finally(() => ended.push('many'));
    // Another address has its own limit and its own turns.
    const other = codes(1, () => 'other', '192.0.2.1').finally(() => ended.push('other'));
    assert.deepEqual([await many, await other, ended], [taken, ['INVALID_LOGIN'], ['other', 'many']]);
    // All addresses of an IPv6 network count as one.
    const others = Array.from({ length: MAX_WAITING + 4 }, (_, at) =>
      codes(1, () => `somebody-${at}`, `2001:db8::${at}`),
    );
    assert.deepEqual((await Promise.all(others)).flat(), taken);
    // Concurrent attempts are counted individually.
    const one = await codes(8, () => 'somebody');
    assert.deepEqual(one, [...Array(5).fill('INVALID_LOGIN'), ...Array(3).fill('RATE_LIMITED')]);
  },
);
