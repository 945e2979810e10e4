import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteWriter } from './byte-writer.ts';
import { changeTurn } from './turns.ts';

test('a writer has a maximum size, and grows up to it', () => {
  const writer = new ByteWriter();
  const part = new Uint8Array(1 << 25).fill(1);
  for (let i = 0; i < 4; i++) writer.span(part);
  assert.equal(writer.length, 1 << 27);
  assert.throws(() => writer.byte(1), { codeName: 'BSONObjectTooLarge' });
});

test('a large writer lets other statements run while it copies its bytes', () => {
  const bytes = new Uint8Array((1 << 22) + 1).fill(7);
  const writer = new ByteWriter();
  writer.span(bytes);
  let polls = 0;
  const turn = changeTurn({ poll: () => void polls++, held: 0 });
  try {
    assert.deepEqual(writer.finish(), bytes);
  } finally {
    changeTurn(turn);
  }
  assert.ok(polls >= 4, `${polls}`);
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
