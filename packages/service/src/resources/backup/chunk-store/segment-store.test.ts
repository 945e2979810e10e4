import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestObjects } from '../testing.ts';
import { SegmentStore } from './segment-store.ts';

const mark = (seconds: number) => ({ seconds, increment: 1, digest: `${seconds}` });
const segment = (seconds: number) => ({
  after: mark(seconds),
  to: mark(seconds + 1),
  hash: `${seconds}`,
  bytes: 1,
});

test('segments that another span also references are kept', async () => {
  const objects = new TestObjects();
  const segmentStore = new SegmentStore(objects, 'c');
  const [first, second, third] = [segment(1), segment(2), segment(3)];
  for (const one of [first, second, third]) await segmentStore.keep(one, new Uint8Array(1));
  await segmentStore.forget([first, second], [second, third]);
  assert.deepEqual(await segmentStore.missing([first, second, third]), [first]);
});
