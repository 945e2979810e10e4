import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PackedValues } from './packed.ts';
import { RawDocument } from './raw.ts';
import type { Value } from './value.ts';

const encoded = (v: unknown): Value => RawDocument.from({ v }).get('v') as Value;

test('packed values are copies that share buffers', () => {
  const packed = new PackedValues();
  const given = Array.from({ length: 20_000 }, (_, i) => encoded(i % 3 === 0 ? i : 'x'.repeat(i % 90)));
  const copies = given.map((value) => packed.copyOf(value));
  for (const [i, copy] of copies.entries()) assert.ok(copy.identical(given[i] as Value), `${i}`);
  const buffers = new Set(copies.map(({ bytes }) => bytes));
  assert.ok(buffers.size < 40, `${buffers.size} buffers`);
  assert.ok(given.every(({ bytes }) => !buffers.has(bytes)));
});

test('the buffer of a single value is small, and a large value has its own', () => {
  assert.equal(new PackedValues().copyOf(encoded(1)).bytes.length, 32);
  const packed = new PackedValues();
  const [small, large] = [encoded('x'), encoded('x'.repeat(5_000))].map((value) => packed.copyOf(value));
  assert.notEqual(small?.bytes, large?.bytes);
  assert.equal(large?.bytes.length, 5_005);
});
