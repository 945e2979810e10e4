import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serialize } from 'bson';
import { ByteWriter } from './byte-writer.ts';
import { copySpan } from './bytes.ts';
import { pollsOf } from './testing-turns.ts';

test('a writer has a maximum size, and grows up to it', () => {
  const writer = new ByteWriter();
  const part = new Uint8Array(1 << 25).fill(1);
  for (let i = 0; i < 4; i++) writer.span(part);
  assert.equal(writer.length, 1 << 27);
  assert.throws(() => writer.byte(1), { codeName: 'BSONObjectTooLarge' });
});

/** Bytes that differ from piece to piece. */
const bytesOf = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 7_919) >> 8);

test('a large writer lets other statements run while it grows and copies its bytes', () => {
  const bytes = bytesOf(5 << 20);
  const writer = new ByteWriter();
  const polls = pollsOf(() => writer.span(bytes));
  assert.equal(polls, 5);
  // Small spans, with which the writer grows several times, and never copies its bytes.
  const part = bytes.subarray(0, 1_000);
  assert.ok(pollsOf(() => writer.span(part)) <= 1);
  assert.ok(pollsOf(() => assert.equal(writer.finish().length, bytes.length + part.length)) >= 5);
});

test('a copy of many bytes lets other statements run', () => {
  const bytes = bytesOf((4 << 20) + 3);
  assert.ok(pollsOf(() => assert.deepEqual(copySpan(bytes, 1, bytes.length), bytes.subarray(1))) >= 4);
});

test('what a writer returns does not depend on where its chunks end', () => {
  const bytes = bytesOf(3 << 20);
  for (const size of [1, 23, 1_000, 70_000, 700_000, 2 << 20]) {
    const writer = new ByteWriter();
    const expected: Uint8Array[] = [];
    const add = (added: Uint8Array) => expected.push(added) && writer.span(added);
    add(bytes.subarray(0, size));
    const patched = writer.length;
    writer.int32(0);
    expected.push(Buffer.from([1, 2, 3, 4]));
    const plain = writer.length;
    for (let i = 0; i < 6; i++) {
      add(bytes.subarray(i, i + size));
      writer.text('é'.repeat(i * 20_000));
      expected.push(serialize({ t: 'é'.repeat(i * 20_000) }).subarray(7, -1));
    }
    writer.patchInt32(patched, 0x04030201);
    writer.invert(plain);
    const all = Buffer.concat(expected);
    for (let i = plain; i < all.length; i++) all[i] = ~(all[i] as number);
    assert.ok(all.equals(writer.finish()), `${size}`);
  }
});

test('a writer counts the inversion of a long key', () => {
  const writer = new ByteWriter();
  writer.span(bytesOf(1 << 20));
  assert.ok(pollsOf(() => writer.invert(0)) >= 1);
});

test('large writers that are used at the same time do not share a buffer', () => {
  const part = (value: number) => new Uint8Array(1 << 18).fill(value);
  const written = (...writers: readonly ByteWriter[]) => {
    for (const [i, writer] of writers.entries()) writer.span(part(i + 1));
    return writers.map((writer) => writer.finish());
  };
  // The first round leaves a large buffer for the second one.
  for (let round = 0; round < 2; round++)
    assert.deepEqual(written(new ByteWriter(), new ByteWriter(), new ByteWriter()), [
      part(1),
      part(2),
      part(3),
    ]);
});
