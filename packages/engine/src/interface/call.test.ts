import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { type CallClient, type CallHandlers, type CallsOf, call } from './call.ts';

const timeout = { timeoutMs: 1_000 };
const table = {
  count: call<(id: string, from?: number) => number>()('members', 'value', timeout),
  copy: call<(id: string) => void>()('files', 'download', timeout),
  put: call<(id: string) => number>()('files', 'upload', { ...timeout, repeatable: false }),
};

test('a table with a missing or mismatched implementation does not compile', () => {
  const files: CallHandlers<CallsOf<typeof table, 'files'>> = {
    async *copy() {
      yield new Uint8Array(1);
    },
    put: async (id, bytes) => (await Readable.from(bytes).toArray()).length + id.length,
  };
  const whole: CallHandlers<typeof table> = { ...files, count: (id, from = 0) => id.length + from };
  // @ts-expect-error: `count` is missing.
  const partial: CallHandlers<typeof table> = { ...files };
  // @ts-expect-error: `count` returns a number.
  const other: CallHandlers<typeof table> = { ...files, count: (id) => id };
  assert.deepEqual(
    [whole, partial, other].map((handlers) => Object.keys(handlers).length),
    [3, 2, 3],
  );
});

test('clients have the same parameters and results as the table', async () => {
  const received: unknown[] = [];
  const client: CallClient<typeof table> = {
    count: async (...args) => received.push(args),
    copy: () => Readable.from(['x']),
    put: async () => 1,
  };
  await client.count('a', 1);
  // @ts-expect-error: the id is a string.
  await client.count(1);
  // @ts-expect-error: an upload takes bytes.
  await client.put('a');
  assert.deepEqual(received, [['a', 1], [1]]);
  assert.deepEqual([table.count.repeatable, table.put.repeatable], [true, false]);
});
