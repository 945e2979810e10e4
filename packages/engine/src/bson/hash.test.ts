import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decimal128, Double, Long } from 'bson';
import { valueFrom } from '../language/testing/values.ts';
import { hashOf } from './hash.ts';

test('hashes numbers by their integer part, whatever their type', () => {
  // The server's documentation of hashed indexes contains this hash of 1.
  for (const one of [1, 1.987, Long.fromNumber(1), new Double(1), Decimal128.fromString('1.5')]) {
    assert.equal(hashOf(valueFrom(one)), 5902408780260971510n, String(one));
  }
  assert.equal(hashOf(valueFrom(Number.NaN)), hashOf(valueFrom(0)));
});

test('includes field names in the hash of a document', () => {
  assert.notEqual(hashOf(valueFrom({ a: 1 })), hashOf(valueFrom({ b: 1 })));
  assert.equal(hashOf(valueFrom({ a: 1 })), hashOf(valueFrom({ a: new Double(1) })));
});
