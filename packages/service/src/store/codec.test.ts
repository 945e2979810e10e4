import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codec } from './codec.ts';

test('every value is read as it was written', () => {
  const date = new Date('2025-03-12T01:02:03.456Z');
  assert.deepEqual(codec.date.read(codec.date.write(date)), date);
  assert.deepEqual(codec.optionalDate.read(codec.optionalDate.write(date)), date);
  assert.equal(codec.optionalDate.read(codec.optionalDate.write(undefined)), undefined);
  assert.deepEqual([true, false].map(codec.boolean.write).map(codec.boolean.read), [true, false]);
  assert.equal(codec.int64.read(codec.int64.write(Number.MIN_SAFE_INTEGER)), Number.MIN_SAFE_INTEGER);
  const document = { a: [1, null, { b: 'ü' }] };
  assert.deepEqual(codec.json<typeof document>().read(codec.json().write(document)), document);
});

test('a value that cannot be stored exactly is rejected on write', () => {
  assert.throws(() => codec.date.write(new Date('never')), RangeError);
  assert.throws(() => codec.int64.write(2 ** 53), RangeError);
  assert.throws(() => codec.int64.write(0.5), RangeError);
  assert.throws(() => codec.json().write(undefined), TypeError);
});
