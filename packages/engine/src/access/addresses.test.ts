import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressCheck } from './addresses.ts';

const cases: ReadonlyArray<readonly [blocks: string[], remote: string, allowed: boolean]> = [
  [[], '127.0.0.1', false],
  [['127.0.0.1/32'], '127.0.0.1', true],
  [['127.0.0.1/32'], '127.0.0.2', false],
  [['10.0.0.0/8', '192.0.2.0/24'], '192.0.2.77', true],
  [['10.0.0.0/8'], '::ffff:10.1.2.3', true],
  [['0.0.0.0/0'], '203.0.113.9', true],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['2001:db8::/32'], '2001:db8:1::1', true],
  [['2001:db8::/32'], '10.0.0.1', false],
  [['nonsense', '10.0.0.1'], '10.0.0.1', false],
  [['0.0.0.0/0'], '', false],
];

for (const [blocks, remote, allowed] of cases) {
  test(`[${blocks}] ${allowed ? 'allows' : 'refuses'} ${JSON.stringify(remote)}`, () => {
    assert.equal(addressCheck(blocks)(remote), allowed);
  });
}
