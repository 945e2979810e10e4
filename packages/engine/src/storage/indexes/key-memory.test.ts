import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Document } from 'bson';
import { RawDocument } from '../../bson/raw.ts';
import { unwatched } from '../../statement/statement.ts';
import { IndexDefinition } from '../model/index-definition.ts';
import { documentKeys } from './document-keys.ts';
import { KeyMemory } from './tuples.ts';

const LIMIT = 10_000;
const keysOf = (key: Document, doc: Document) => {
  const spec = RawDocument.from({ v: 2, key, name: 'index' });
  const index = new IndexDefinition({ number: 1, spec, multikey: '' });
  return documentKeys(index, RawDocument.from(doc), unwatched, new KeyMemory(LIMIT)).keys;
};
const numbers = Array.from({ length: 100 }, (_, i) => i);
const text = 'x'.repeat(LIMIT);
const exceeded = { codeName: 'ExceededMemoryLimit' };

describe('the memory of the keys of a document is limited', () => {
  it('in an index over an array', () => {
    assert.throws(() => keysOf({ a: 1 }, { a: numbers }), exceeded);
    assert.equal(keysOf({ a: 1 }, { a: numbers.slice(0, 10) }).length, 10);
  });

  it('in a compound index, which repeats a long text for each entry of an array', () => {
    assert.throws(() => keysOf({ a: 1, b: 1 }, { a: [1, 2], b: text }), exceeded);
  });

  it('in an index over a text', () => {
    assert.throws(() => keysOf({ a: 1 }, { a: text }), exceeded);
  });

  it('in a wildcard index, which repeats a long path for each field', () => {
    assert.throws(() => keysOf({ '$**': 1 }, { [text.slice(5_000)]: { a: 1, b: 2 } }), exceeded);
    assert.equal(keysOf({ '$**': 1 }, { a: 1, b: 2 }).length, 2);
  });

  it('where equal keys count once', () => {
    assert.equal(keysOf({ a: 1 }, { a: Array.from({ length: 10_000 }, () => null) }).length, 1);
  });
});
