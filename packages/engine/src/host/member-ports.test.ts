import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { testClock } from '@portolan/foundation/testing';
import { deploymentSpec, memberSpec } from '../testing.ts';
import { bindMembers } from './member-ports.ts';
import { Ports } from './ports.ts';

const record = {
  format: 2,
  spec: deploymentSpec({ members: [memberSpec(0)] }),
  decoySecret: 'aa',
  access: { revision: 1, addresses: [], users: [] },
  ports: { 'shard-00-00': 27_500 },
  paused: false,
  configVersion: 1,
  term: 1,
  primaries: ['shard-00-00'],
} as const;

/** Binds the member. During the first `refusals` attempts, its port is in use. */
async function bind(refusals: number, afterCrash: boolean) {
  const clock = testClock();
  let attempts = 0;
  const thread = {
    async listen() {
      // Fire the timer for which the next attempt waits.
      setImmediate(() => clock.advance(50));
      return ++attempts > refusals;
    },
    async unlisten() {},
  };
  const ports = new Ports({ from: 27_000, to: 27_999, first: 27_000 });
  const bound = await bindMembers(thread, record, { listen: '127.0.0.1', ports, clock, afterCrash }).catch(
    String,
  );
  return { bound, attempts };
}

suite('the port of a member', () => {
  test('is tried again after a crash, as the system may still close the sockets of the killed host', async () => {
    assert.deepEqual(await bind(3, true), { bound: record.ports, attempts: 4 });
  });

  test('is reported as taken if it remains in use, or if the previous host ended by itself', async () => {
    const bound = 'Error: port 27500 of member shard-00-00 is taken by another program';
    assert.deepEqual(await bind(100, true), { bound, attempts: 10 });
    assert.deepEqual(await bind(1, false), { bound, attempts: 1 });
  });
});
