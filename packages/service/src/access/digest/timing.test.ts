import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDatabase } from '@portolan/test-support/databases';
import { digestHeader, freshNonce, newKey, openInstance, send } from '../testing.ts';

const ROUNDS = 1500;

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

test('rejecting an unknown key takes as long as rejecting a wrong private key', async (t) => {
  const instance = await openInstance(t, await emptyDatabase.sqlite(t));
  const [key, other] = [await newKey(instance), await newKey(instance)];
  const nonce = await freshNonce(instance);
  // Each unknown key is requested once, as by an attacker who searches for existing keys.
  const cases = [
    (round: number) => ({ ...key, publicKey: `no${round.toString(26).padStart(6, 'a')}` }),
    () => ({ ...key, privateKey: '00000000-0000-0000-0000-000000000000' }),
    () => ({ ...key, privateKey: other.privateKey }),
  ];
  const times: number[][] = cases.map(() => []);
  // The cases alternate, so that other load on the machine affects all of them equally.
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, pairIn] of cases.entries()) {
      const authorization = digestHeader({ ...pairIn(round), nonce });
      const address = `10.${index}.${round >> 8}.${round & 255}`;
      const start = process.hrtime.bigint();
      await send(instance, { authorization, address }).catch(() => {});
      times[index]?.push(Number(process.hrtime.bigint() - start));
    }
  }
  const medians = times.map(median);
  const spread = Math.max(...medians) / Math.min(...medians);
  assert.ok(spread < 1.25, `medians in ns: ${medians.join(', ')}`);
});
