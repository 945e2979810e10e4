import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { deflateSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { compress as snappyCompress } from 'snappyjs';
import { MAX_MESSAGE_BYTES, opMsgHead } from '../message/codec.ts';
import { MalformedMessage } from '../message/sections.ts';
import { compress, expand, isCompressed } from './compressed.ts';
import { compressors, negotiate } from './compression.ts';
import { readSnappy } from './snappy.ts';
import { turnsUntil, wireMessage } from './testing.ts';

const OP_MSG = 2013;
const packers: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  snappy: snappyCompress,
  zlib: deflateSync,
  zstd: zstdCompressSync,
};

/** Returns a message that announces `size` bytes of content. */
function compressed(id: number, content: Uint8Array, size: number): Buffer {
  const head = Buffer.alloc(9);
  head.writeInt32LE(OP_MSG, 0);
  head.writeInt32LE(size, 4);
  head[8] = id;
  return wireMessage(2012, head, content);
}

async function malformed(bytes: Buffer, limit = MAX_MESSAGE_BYTES): Promise<void> {
  await assert.rejects(async () => expand(bytes, limit), MalformedMessage);
}

for (const { name, id } of compressors) {
  const pack = packers[name] as (bytes: Uint8Array) => Uint8Array;
  suite(name, () => {
    for (const size of [1, 100, 70_000, 200_000, 700_000]) {
      test(`compresses and decompresses a reply of ${size} bytes`, async () => {
        const document = Buffer.from(Array.from({ length: size }, (_, i) => (i * i) % 251));
        const head = opMsgHead(7, 9, size);
        const packed = await compress(head, document, compressors.find((one) => one.id === id) as never);
        assert.ok(isCompressed(packed));
        const { bytes, compressor } = await expand(packed, MAX_MESSAGE_BYTES);
        assert.deepEqual(bytes, Buffer.concat([head, document]));
        assert.equal(compressor.name, name);
      });
    }

    test('rejects content larger than announced, however small its compressed form', async () => {
      const bomb = pack(Buffer.alloc(4_000_000));
      await malformed(compressed(id, bomb, 100));
      await malformed(compressed(id, bomb, 3_999_999));
    });

    test('rejects content smaller than announced', async () => {
      await malformed(compressed(id, pack(Buffer.alloc(100)), 101));
      await malformed(compressed(id, pack(Buffer.alloc(1_000)), 1_000_000));
    });

    test('rejects a size above the limit before it decompresses', async () => {
      await malformed(compressed(id, pack(Buffer.alloc(101)), 101), 116);
      await malformed(compressed(id, Buffer.alloc(10), -1));
      await malformed(compressed(id, Buffer.alloc(10), 0x7fffffff));
    });

    test('rejects truncated and invalid content', async () => {
      await malformed(compressed(id, pack(Buffer.from('a text of some length')).subarray(0, -3), 21));
      const content = fc.uint8Array({ maxLength: 40 });
      const property = fc.asyncProperty(content, fc.integer({ min: 1, max: 300 }), async (bytes, size) => {
        try {
          await expand(compressed(id, Buffer.from(bytes), size), MAX_MESSAGE_BYTES);
        } catch (error) {
          assert.ok(error instanceof MalformedMessage, String(error));
        }
      });
      await fc.assert(property, { numRuns: 500 });
    });
  });
}

suite('Snappy', () => {
  for (const [what, element, size] of [
    ['literals', [0, 97], 1],
    // Each element copies 64 bytes, starting one byte before the end of the output.
    ['overlapping copies', [254, 1, 0], 64],
  ] as const) {
    test(`reads a million bytes of ${what} in turns`, async () => {
      const bytes = Buffer.concat([
        Buffer.from([193, 132, 61, 0, 97]),
        Buffer.alloc((1_000_000 / size) * element.length, Buffer.from(element)),
      ]);
      const reading = readSnappy(bytes, 1_000_001);
      assert.ok(reading instanceof Promise);
      assert.ok((await turnsUntil(reading)) >= 1);
      assert.deepEqual(await reading, Buffer.alloc(1_000_001, 'a'));
    });
  }

  test('reads literals, copies and overlapping copies', () => {
    // The text "ab", then two copies of 4 and 11 bytes, each from 2 bytes back, then a literal whose length follows its
    // tag.
    const bytes = Buffer.from([25, 4, 97, 98, 1, 2, 42, 2, 0, 240, 7, ...Buffer.from('12345678')]);
    assert.equal(`${readSnappy(bytes, 25)}`, 'abababababababab' + 'a12345678');
  });

  test('reads its own output', () => {
    const words = fc.array(fc.constantFrom('a', 'bb', 'ccc', 'abcabcabc', '\0'), { maxLength: 200 });
    fc.assert(
      fc.property(words, (parts) => {
        const text = Buffer.from(parts.join(''));
        assert.deepEqual(readSnappy(snappyCompress(text), text.length), text);
      }),
    );
  });

  for (const [what, bytes] of [
    ['a literal of negative length', [5, 252, 0xfa, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0]],
    ['a copy from before the start', [5, 0, 97, 1, 2]],
    ['a copy from nowhere', [5, 0, 97, 1, 0]],
    ['a length without end', [255, 255, 255, 255, 255, 1]],
  ] as const) {
    test(`rejects ${what}`, () => {
      assert.throws(() => readSnappy(Buffer.from(bytes), 5), MalformedMessage);
    });
  }
});

test('reads a large input in the background, even if it expands to few bytes', async () => {
  // Blocks without content, which are 5 bytes in zlib and 3 bytes in zstd.
  const blocks = Buffer.alloc(200_000, Buffer.of(0, 0, 0, 255, 255));
  const zlib = Buffer.concat([Buffer.of(0x78, 0x9c), blocks]);
  const zstd = Buffer.concat([Buffer.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0x58), Buffer.alloc(200_001)]);
  for (const [id, content] of [
    [2, zlib],
    [3, zstd],
  ] as const) {
    const expanding = expand(compressed(id, content, 64), MAX_MESSAGE_BYTES);
    assert.ok(expanding instanceof Promise);
    await assert.rejects(expanding, MalformedMessage);
  }
});

test("negotiates compressors in the driver's order", () => {
  assert.deepEqual(negotiate(['zlib', 'lz4', 'snappy']), ['zlib', 'snappy']);
  assert.deepEqual(negotiate('zlib'), []);
});

test('rejects an unknown compressor and a message without content', async () => {
  await malformed(compressed(0, Buffer.alloc(10), 10));
  await malformed(compressed(9, Buffer.alloc(10), 10));
  await malformed(wireMessage(2012, Buffer.alloc(8)));
});

test('yields to other connections while snappy compresses a large reply', async () => {
  const document = Buffer.alloc(1_000_000, 'portolan');
  const snappy = compressors.find(({ name }) => name === 'snappy');
  assert.ok(snappy);
  const packing = Promise.resolve(compress(opMsgHead(7, 9, document.length), document, snappy));
  const turns = await turnsUntil(packing);
  const packed = await packing;
  assert.ok(packed.length < document.length / 10);
  assert.ok(turns >= 15, `${turns} turns`);
});
