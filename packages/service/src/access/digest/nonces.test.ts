import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { testClock } from '@portolan/foundation/testing';
import { nonces } from './nonces.ts';
import { UsedNonces } from './used-nonces.ts';

const key = Buffer.alloc(32, 7);

test('a nonce is 32 characters of base64, unique, and contains its creation time', () => {
  const clock = testClock();
  const issued = nonces(key, clock.now, systemRandom());
  const [first, second] = [issued.make(), issued.make()];
  assert.match(first, /^[A-Za-z0-9+/]{32}$/);
  assert.notEqual(first, second);
  assert.equal(issued.madeAt(first), clock.now());
});

test('instances with a common key accept each other’s nonces, and no others', () => {
  const clock = testClock();
  const [ours, same, other] = [key, key, Buffer.alloc(32, 8)].map((each) =>
    nonces(each, clock.now, systemRandom()),
  );
  const nonce = ours?.make() ?? '';
  assert.equal(same?.madeAt(nonce), clock.now());
  assert.equal(other?.madeAt(nonce), undefined);
});

test('a nonce with any changed character is invalid', () => {
  const issued = nonces(key, testClock().now, systemRandom());
  const nonce = issued.make();
  for (let at = 0; at < nonce.length; at++) {
    const changed = nonce.slice(0, at) + (nonce[at] === 'A' ? 'B' : 'A') + nonce.slice(at + 1);
    assert.equal(issued.madeAt(changed), undefined);
  }
  for (const wrong of ['', nonce.slice(1), `${nonce}AAAA`, nonce.replace(/.$/, '=')]) {
    assert.equal(issued.madeAt(wrong), undefined);
  }
});

test('a use is remembered for the lifetime of its nonce', () => {
  const clock = testClock();
  const used = new UsedNonces(clock);
  const made = clock.monotonic();
  assert.equal(used.use('a', made, 1), true);
  clock.advance(59_999);
  assert.equal(used.use('b', made, 1), true);
  assert.equal(used.use('a', made, 1), false);
  assert.equal(used.use('a', made, 2), true);
});

test('a forgotten nonce counts as used', () => {
  const clock = testClock();
  const used = new UsedNonces(clock);
  assert.equal(used.use('a', clock.monotonic(), 1), true);
  for (let minute = 0; minute < 3; minute++) {
    clock.advance(60_000);
    assert.equal(used.use(`later ${minute}`, clock.monotonic(), 1), true);
  }
  assert.equal(used.use('a', 0, 1), false);
});
