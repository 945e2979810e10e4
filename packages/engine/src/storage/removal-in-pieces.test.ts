import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { RawDocument } from '../bson/raw.ts';
import { ClusterStore } from './cluster-store.ts';

let dir: string;
let store: ClusterStore;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'removal-'));
  store = ClusterStore.open(dir, systemRandom(), { now: () => 1_700_000_000_000, term: () => 1 });
});

afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true });
});

const text = (bytes: number) => RawDocument.from({ t: 'x'.repeat(bytes) });

function forgetAll(time: number): { calls: number; kept: boolean } {
  let [calls, kept] = [0, false];
  for (let after: string | undefined = ''; after !== undefined; calls++) {
    const forgotten: ReturnType<ClusterStore['forgetRetries']> = store.forgetRetries(time, after);
    kept ||= forgotten.kept;
    after = forgotten.last;
  }
  return { calls, kept };
}

test('old results of retryable writes are removed in pieces', () => {
  store.write(() => {
    for (let i = 0; i < 5_000; i++) store.retries.save(`s${i}`, i, text(1));
  });
  assert.deepEqual(forgetAll(2_999), { calls: 3, kept: true });
  assert.equal(store.retries.find('s2999'), undefined);
  assert.notEqual(store.retries.find('s3000'), undefined);
  assert.deepEqual(forgetAll(5_000), { calls: 2, kept: false });
  assert.equal(store.retries.find('s4999'), undefined);
});

test('a piece has only a few large results of retryable writes', () => {
  store.write(() => {
    for (let i = 0; i < 9; i++) store.retries.save(`s${i}`, 0, text(1 << 20));
  });
  assert.deepEqual(forgetAll(1), { calls: 3, kept: false });
});

test('old pre-images are removed in pieces', () => {
  const { images } = store.oplog;
  const save = (position: number, doc: RawDocument) =>
    store.write(() => images.save({ position, step: 0 }, new Uint8Array(16), 0, doc));
  const present = (last: number) => {
    let count = 0;
    for (let position = 1; position <= last; position++)
      if (images.find({ position, step: 0 }) !== undefined) count++;
    return count;
  };
  for (let position = 1; position <= 1_200; position++) save(position, text(1));
  store.write(() => images.forgetBefore(1_200));
  // Half of the pieces are removed by the commit.
  assert.equal(present(1_200), 200);
  store.write(() => {});
  assert.equal(present(1_200), 1);
  for (let position = 2_001; position <= 2_009; position++) save(position, text(1 << 20));
  store.write(() => images.forgetBefore(3_000));
  assert.equal(present(3_000), 1);
  save(4_000, text(1));
  assert.equal(present(4_000), 1);
});
