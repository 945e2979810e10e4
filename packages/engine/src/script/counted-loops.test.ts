import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countLoops } from './counted-loops.ts';

/** A part of the interface of `WebAssembly`, for which Node.js has no types. */
interface Assembly {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: Record<string, (n: number) => number> };
}
const assembly = Reflect.get(globalThis, 'WebAssembly') as Assembly;

const section = (id: number, ...content: readonly number[]) => [id, content.length, ...content];

/** A module with `loop(n)`, which counts from n down to 0, and `fill(n)`, which fills n bytes. */
const module = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, 1, 0x60, 1, 0x7f, 1, 0x7f),
  ...section(2, 1, 1, 0x61, 1, 0x69, 0, 0),
  ...section(3, 2, 0, 0),
  ...section(5, 1, 0, 16),
  ...section(6, 1, 0x7f, 1, 0x41, 5, 0x0b),
  ...section(7, 2, 4, ...Buffer.from('loop'), 0, 1, 4, ...Buffer.from('fill'), 0, 2),
  ...section(
    10,
    2,
    ...[17, 0, 0x03, 0x40, 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b, 0x20, 0, 0x0f, 0x0b],
    ...[15, 1, 1, 0x7f, 0x41, 0, 0x41, 1, 0x20, 0, 0xfc, 11, 0, 0x20, 0, 0x0b],
  ),
]);

async function asksOf(name: string, n: number): Promise<number> {
  let asks = 0;
  const i = (value: number) => {
    assert.equal(value, 0);
    asks++;
    return 99;
  };
  const counted = new assembly.Module(await countLoops(module, { index: 0, first: 99 }));
  const { exports } = new assembly.Instance(counted, { a: { i } });
  assert.equal(exports[name]?.(n), name === 'fill' ? n : 0);
  return asks;
}

test('asks once per number of turns of a loop', async () => {
  assert.equal(await asksOf('loop', 99), 0);
  assert.equal(await asksOf('loop', 1_000), 10);
});

test('asks after a number of bytes that one instruction fills', async () => {
  assert.equal(await asksOf('fill', 16), 0);
  assert.equal(await asksOf('fill', 16_000), 1);
});
