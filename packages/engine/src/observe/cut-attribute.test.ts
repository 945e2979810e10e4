import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Binary, ObjectId } from 'bson';
import fc from 'fast-check';
import { cutAttribute } from './cut-attribute.ts';
import { jsonOf } from './lines.ts';

test('an attribute that fits is kept whole', () => {
  const attribute = { find: 'ports', filter: { _id: { $in: [1, 2n, 'three', new Date(0), null] } } };
  assert.deepEqual(cutAttribute(attribute, 100), { kept: attribute });
});

test('the first value that does not fit is dropped with all after it, and reported by its path', () => {
  const ids = Array.from({ length: 10 }, () => new ObjectId());
  const command = { aggregate: 'ports', pipeline: [{ $match: { _id: { $in: ids } } }], allowDiskUse: true };
  assert.deepEqual(cutAttribute(command, 150), {
    kept: { aggregate: 'ports', pipeline: [{ $match: { _id: { $in: ids.slice(0, 3) } } }] },
    truncated: { pipeline: { 0: { $match: { _id: { $in: { 3: { type: 'objectId', size: 12 } } } } } } },
  });
  const cargo = { insert: 'cargo', documents: [{ _id: 1, load: 'x'.repeat(200) }] };
  assert.deepEqual(cutAttribute(cargo, 100), {
    kept: { insert: 'cargo', documents: [{ _id: 1 }] },
    truncated: { documents: { 0: { load: { type: 'string', size: 205 } } } },
  });
  const sealed = { find: 'keys', filter: { key: new Binary(new Uint8Array(100)) } };
  assert.deepEqual(cutAttribute(sealed, 100), {
    kept: { find: 'keys', filter: {} },
    truncated: { filter: { key: { type: 'binData', size: 105 } } },
  });
});

test('the kept part never exceeds the limit, and its values are unchanged', () => {
  const attributes = fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<unknown>);
  fc.assert(
    fc.property(attributes, fc.nat(200), (attribute, longest) => {
      const { kept, truncated } = cutAttribute(attribute, longest);
      if (truncated === undefined) assert.deepEqual(kept, attribute);
      // Braces and quotes of names are estimated, too low for names that contain quotes.
      else assert.ok(jsonOf(kept).length <= 2 * longest + 20, jsonOf(kept));
    }),
  );
});
