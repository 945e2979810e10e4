import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { type TestContext, test } from 'node:test';
import { emptyDatabase, onEachDatabase } from '@portolan/test-support/databases';
import type { NewApiKey } from '../principals.ts';
import { digestHeader, freshNonce, newKey, openInstance, send, type TestInstance } from '../testing.ts';
import type { DigestAlgorithm } from './header.ts';

const ROUNDS = 300;
const ATTEMPTS = 5;
/**
 * Maximum ratio of the longest to the shortest time. The test measures the median time in which the service
 * rejects each kind of wrong key pair, and passes if one of its attempts stays below this ratio. It also
 * finds expensive work that `recordedWork` does not record. Another test compares the recorded work.
 */
const MAX_RATIO = 2;

/** Returns functions that create wrong key pairs. Each pair is sent once, as by an attacker who tries many keys. */
async function wrongPairs(instance: TestInstance) {
  const [key, other] = [await newKey(instance), await newKey(instance)];
  const unknown = (round: number) => ({ ...key, publicKey: `no${round.toString(26).padStart(6, 'a')}` });
  const wrong = () => ({ ...key, privateKey: '00000000-0000-0000-0000-000000000000' });
  const swapped = () => ({ ...key, privateKey: other.privateKey });
  return [unknown, wrong, swapped] satisfies ((round: number) => NewApiKey)[];
}

/**
 * Records the calls that take time: hash functions and comparisons with the sizes of their inputs, and reads of the
 * store.
 */
function recordedWork(t: TestContext, store: TestInstance['store']): string[] {
  const work: string[] = [];
  const note = (name: string, inputs: readonly unknown[]) => {
    const sizes = inputs.map((input) => (input instanceof Uint8Array ? input.length : String(input).length));
    work.push([name, ...sizes].join(' '));
  };
  const { hash, timingSafeEqual, createHash, createHmac } = crypto;
  t.mock.method(crypto, 'hash', (...args: Parameters<typeof hash>) => {
    note(`hash ${args[0]}`, [args[1]]);
    return hash(...args);
  });
  t.mock.method(crypto, 'timingSafeEqual', (...args: Parameters<typeof timingSafeEqual>) => {
    note('compare', args);
    return timingSafeEqual(...args);
  });
  t.mock.method(crypto, 'createHash', (...args: Parameters<typeof createHash>) => {
    note(`hash ${args[0]}`, []);
    return createHash(...args);
  });
  t.mock.method(crypto, 'createHmac', (...args: Parameters<typeof createHmac>) => {
    note(`hmac ${args[0]}`, []);
    return createHmac(...args);
  });
  for (const name of ['read', 'write'] as const) {
    const run = store[name].bind(store) as (...args: unknown[]) => Promise<unknown>;
    t.mock.method(store, name, (...args: unknown[]) => {
      note(name, []);
      return run(...args);
    });
  }
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return work;
}

onEachDatabase(
  'an unknown key is rejected with the same work as a wrong private key',
  async (t, database) => {
    const instance = await openInstance(t, database);
    const pairs = await wrongPairs(instance);
    const nonce = await freshNonce(instance);
    const work = recordedWork(t, instance.store);
    const workOf = async (pair: NewApiKey, algorithm: DigestAlgorithm, address: string) => {
      const authorization = digestHeader({ ...pair, nonce, algorithm });
      work.length = 0;
      await assert.rejects(send(instance, { authorization, address }), { status: 401 });
      return work.toSorted();
    };
    for (const [round, algorithm] of (['MD5', 'MD5', 'SHA-256'] as const).entries()) {
      const done: string[][] = [];
      for (const [index, pairIn] of pairs.entries())
        done.push(await workOf(pairIn(round), algorithm, `10.0.${index}.${round}`));
      const [unknown = [], ...others] = done;
      assert.equal(unknown.filter((call) => call.startsWith('hash')).length, 2);
      assert.equal(unknown.filter((call) => call.startsWith('compare')).length, 1);
      assert.ok(unknown.includes('read'));
      // In the first round, the service also loads the known key into memory.
      if (round > 0) for (const other of others) assert.deepEqual(other, unknown);
    }
  },
);

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

test('rejecting an unknown key takes about as long as rejecting a wrong private key', async (t) => {
  const instance = await openInstance(t, await emptyDatabase.sqlite(t));
  const pairs = await wrongPairs(instance);
  const nonce = await freshNonce(instance);
  const ratios: number[] = [];
  for (let attempt = 0; attempt < ATTEMPTS && !ratios.some((ratio) => ratio < MAX_RATIO); attempt++) {
    const times: number[][] = pairs.map(() => []);
    // The pairs alternate, so that other load on the machine affects all of them equally.
    for (let round = attempt * ROUNDS; round < (attempt + 1) * ROUNDS; round++) {
      for (const [index, pairIn] of pairs.entries()) {
        const authorization = digestHeader({ ...pairIn(round), nonce });
        const address = `10.${index}.${round >> 8}.${round & 255}`;
        const start = process.hrtime.bigint();
        await assert.rejects(send(instance, { authorization, address }), { status: 401 });
        times[index]?.push(Number(process.hrtime.bigint() - start));
      }
    }
    const medians = times.map(median);
    ratios.push(Math.max(...medians) / Math.min(...medians));
  }
  assert.ok((ratios.at(-1) ?? 0) < MAX_RATIO, `ratios of the medians: ${ratios.join(', ')}`);
});
