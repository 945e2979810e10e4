import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Binary, BSONRegExp, MinKey, ObjectId, Timestamp } from 'bson';
import fc from 'fast-check';
import { relaxedJson } from '../bson/extended-json.ts';
import { RawDocument } from '../bson/raw.ts';
import { cutAttribute } from './cut-attribute.ts';

const cut = (attribute: object, longest: number) => {
  const { kept, ...rest } = cutAttribute(RawDocument.from(attribute), longest);
  return { kept: kept.toObject(), ...rest };
};

test('an attribute that fits is kept whole', () => {
  const values = [1, 2n, 'three', new Date(0), null];
  const attribute = RawDocument.from({ find: 'ports', filter: { _id: { $in: values } } });
  assert.deepEqual(cutAttribute(attribute, 150), { kept: attribute });
});

test('the first value that does not fit is dropped with all after it, and reported by its path', () => {
  const ids = Array.from({ length: 10 }, () => new ObjectId());
  const command = { aggregate: 'ports', pipeline: [{ $match: { _id: { $in: ids } } }], allowDiskUse: true };
  assert.deepEqual(cut(command, 150), {
    kept: { aggregate: 'ports', pipeline: [{ $match: { _id: { $in: ids.slice(0, 2) } } }] },
    truncated: { pipeline: { 0: { $match: { _id: { $in: { 2: { type: 'objectId', size: 12 } } } } } } },
  });
  const cargo = { insert: 'cargo', documents: [{ _id: 1, load: 'x'.repeat(200) }] };
  assert.deepEqual(cut(cargo, 100), {
    kept: { insert: 'cargo', documents: [{ _id: 1 }] },
    truncated: { documents: { 0: { load: { type: 'string', size: 205 } } } },
  });
  const sealed = { find: 'keys', filter: { key: new Binary(new Uint8Array(100)) } };
  assert.deepEqual(cut(sealed, 100), {
    kept: { find: 'keys', filter: {} },
    truncated: { filter: { key: { type: 'binData', size: 105 } } },
  });
  assert.deepEqual(cut({ find: 'ports', hint: Array.from({ length: 1_000 }, () => []) }, 40), {
    kept: { find: 'ports', hint: [[], [], [], []] },
    truncated: { hint: { 4: { type: 'array', size: 5 } } },
  });
});

test('the kept part never exceeds the limit, and its values are unchanged', () => {
  const attributes = fc.dictionary(
    fc.string().filter((name) => !name.includes('\0')),
    // Names of BSON documents cannot contain NUL.
    fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', ' '))),
  );
  fc.assert(
    fc.property(attributes, fc.nat(200), (plain, longest) => {
      const attribute = RawDocument.from(plain);
      const { kept, truncated } = cutAttribute(attribute, longest);
      if (truncated === undefined) assert.ok(kept.equals(attribute));
      // The limit is approximate, because the length of quotes and braces is only estimated. If names contain quotes,
      // the estimate is too low.
      else assert.ok(relaxedJson(kept).length <= 2 * longest + 20, relaxedJson(kept));
    }),
  );
});

test('no value takes more characters than expected of its bytes', () => {
  const texts = ['', '\u0001'.repeat(50), '"'.repeat(50)];
  const values = [
    new MinKey(),
    new Timestamp({ t: 1, i: 4294967295 }),
    new BSONRegExp(''),
    new Date(0),
    null,
    ...texts,
  ];
  for (const value of values) {
    const attribute = RawDocument.from({ '': value });
    const longest = attribute.length * 16;
    assert.ok(relaxedJson(attribute).length <= longest, relaxedJson(attribute));
    assert.equal(cutAttribute(attribute, longest).truncated, undefined);
  }
});
