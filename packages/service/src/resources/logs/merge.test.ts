import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeLogs } from './merge.ts';

const line = (time: string, text: string) => `{"t":{"$date":"${time}"},"msg":"${text}"}\n`;
const [first, second, third, fourth] = [
  line('2026-01-01T00:00:00.000+00:00', 'a'),
  line('2026-01-01T00:00:00.001+00:00', 'b "$date" 2020'),
  line('2026-01-01T00:00:01.000+00:00', 'ç'),
  line('2026-01-01T00:01:00.000+00:00', 'd'),
];

/** Returns a log in chunks of `bytes` bytes. */
async function* log(text: string, bytes: number, ended: () => void = () => {}): AsyncGenerator<Buffer> {
  const all = Buffer.from(text);
  try {
    for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
  } finally {
    ended();
  }
}

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString();
}

test('lines of several logs are merged by time, wherever chunk boundaries fall', async () => {
  const all = first + second + third + fourth;
  for (const bytes of [1, 7, 50, 1000]) {
    assert.equal(await textOf(mergeLogs([log(first + third, bytes), log(second + fourth, bytes)])), all);
    assert.equal(await textOf(mergeLogs([log('', bytes), log(all, bytes), log('', 1)])), all);
    assert.equal(await textOf(mergeLogs([log(all, bytes)])), all);
  }
  assert.equal(await textOf(mergeLogs([])), '');
});

test('for equal times, lines of the first log come first, and none is lost', async () => {
  assert.equal(await textOf(mergeLogs([log(first, 9), log(first + second, 9)])), first + first + second);
});

test('ending the iteration closes all logs', async () => {
  let ended = 0;
  const pieces = mergeLogs([log(first + third, 9, () => ended++), log(second + fourth, 9, () => ended++)]);
  for await (const _ of pieces) break;
  assert.equal(ended, 2);
});
