import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Code } from 'bson';
import fc from 'fast-check';
import { ServerError } from '../errors/server-error.ts';
import { documents } from '../language/testing/values.ts';
import { encodeKey } from './keys.ts';
import { RawDocument } from './raw.ts';
import { depthOf, MAX_DEPTH, MAX_INTERNAL_SIZE, validate } from './validate.ts';

const hex = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'));

const malformed: Record<string, string> = {
  'nothing at all': '',
  'a length without a document': '05000000',
  'a length beyond the bytes': '06000000 00',
  'a length before the end': '05000000 00 00',
  'a negative length': 'ffffffff 00',
  'no NUL at the end': '05000000 01',
  'an end before the length': '08000000 00 0a61 00',
  'a name without an end': '08000000 0a 61 62 00',
  'an unknown type': '08000000 20 61 00 00',
  'an int32 that is cut off': '0a000000 10 61 00 0100 00',
  'a string longer than the document': '10000000 02 61 00 ff000000 78000000 00',
  'a string of no bytes': '0c000000 02 61 00 00000000 00',
  'a string of a negative length': '0c000000 02 61 00 ffffffff 00',
  'a string whose length would overflow': '0c000000 02 61 00 ffffff7f 00',
  'a string without a NUL': '0e000000 02 61 00 02000000 7878 00',
  'a document inside without an end': '0d000000 03 61 00 05000000 01 00',
  'a document inside that is too long': '0d000000 03 61 00 06000000 00 00',
  'a boolean that is 2': '09000000 08 61 00 02 00',
  'a binary of a negative length': '0d000000 05 61 00 ffffffff 00 00',
  'a pattern without an end': '0a000000 0b 61 00 7878 00',
  'flags without an end': '0b000000 0b 61 00 78 00 69 00',
  'a name that is not UTF-8': '09000000 0a ff61 00 00',
};

test('rejects malformed documents', () => {
  for (const [what, bytes] of Object.entries(malformed)) {
    assert.throws(() => validate(hex(bytes)), { code: 22 }, what);
  }
});

test('validates code with scope to its end', () => {
  const good = RawDocument.from({ c: new Code('x', { a: 1 }) }).toBytes();
  validate(good);
  for (const at of [good.length - 2, good.length - 14]) {
    const bad = good.slice();
    bad[at] = 0x7f;
    assert.throws(() => validate(bad), ServerError);
  }
});

function nested(depth: number): RawDocument {
  let plain = {};
  for (let i = 1; i < depth; i++) plain = { a: plain };
  return RawDocument.from(plain);
}

test('accepts nesting up to the limit', () => {
  validate(nested(MAX_DEPTH + 1).toBytes());
  assert.throws(() => validate(nested(MAX_DEPTH + 2).toBytes()), { code: 15 });
  assert.equal(depthOf(nested(7).toValue()), 7);
});

test('rejects a document beyond the maximum size and names its size', () => {
  const size = MAX_INTERNAL_SIZE + 1;
  assert.throws(() => validate(new Uint8Array(size)), { code: 10334, message: /size: 16793601 / });
});

test('rejects randomly corrupted bytes or can read them to the end', () => {
  const change = fc.record({ at: fc.nat(), byte: fc.nat(255) });
  fc.assert(
    fc.property(documents, fc.array(change, { minLength: 1, maxLength: 3 }), (plain, changes) => {
      const bytes = RawDocument.from(plain).toBytes().slice();
      for (const { at, byte } of changes) bytes[at % bytes.length] = byte;
      try {
        validate(bytes);
      } catch (error) {
        assert.ok(error instanceof ServerError);
        return;
      }
      encodeKey(new RawDocument(bytes).toValue());
    }),
    { numRuns: 2000 },
  );
});
