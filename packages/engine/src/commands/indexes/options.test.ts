import assert from 'node:assert/strict';
import { test } from 'node:test';
import { int32, trueValue } from '../../bson/value.ts';
import { raw } from '../../language/testing/documents.ts';
import { readIndexSpec } from './options.ts';

const key = { a: 1 };
const name = 'a_1';
const codeOf = (spec: object, ignoreUnknown = false): number => {
  try {
    readIndexSpec(raw(spec), ignoreUnknown, undefined);
    return 0;
  } catch (error) {
    return (error as { code: number }).code;
  }
};

test('null is a wrong type for every option with a type', () => {
  const codes: Record<string, number> = {};
  const typed = ['key', 'name', 'v', 'unique', 'sparse', 'background', 'hidden', 'expireAfterSeconds'];
  for (const option of [...typed, 'partialFilterExpression', 'storageEngine', 'prepareUnique', 'dropDups'])
    codes[option] = codeOf({ key, name, [option]: null });
  const { expireAfterSeconds, ...others } = codes;
  assert.equal(expireAfterSeconds, 67);
  assert.deepEqual(new Set(Object.values(others)), new Set([14]));
});

test('reports the first invalid option, and unknown options before it', () => {
  assert.equal(codeOf({ key, unique: 'yes', name: 1, v: 3 }), 14);
  assert.equal(codeOf({ v: 3, key, name, unique: 'yes' }), 67);
  assert.equal(codeOf({ key, name, v: 3, other: 1 }), 197);
  assert.equal(codeOf({ key, name, v: 3, other: 1 }, true), 67);
  assert.equal(codeOf({ key, name, other: 1 }, true), 0);
  assert.equal(codeOf({ name, unique: true }), 9);
});

test('an index on _id must not have other options, not even false ones', () => {
  assert.equal(codeOf({ key: { _id: 1 }, name: '_id_', unique: false }), 197);
  assert.equal(codeOf({ key: { _id: 1 }, name: '_id_' }), 0);
});

test('keeps the order of options, and stores flags and seconds in one form', () => {
  const { document } = readIndexSpec(
    raw({ sparse: 1, key, name, unique: 2.5, hidden: false, expireAfterSeconds: 3.7, background: false }),
    false,
    undefined,
  );
  assert.deepEqual(
    [...document].map((option) => option.name),
    ['v', 'key', 'name', 'unique', 'sparse', 'expireAfterSeconds', 'background'],
  );
  assert.ok(document.get('sparse')?.identical(trueValue));
  assert.ok(document.get('expireAfterSeconds')?.identical(int32(3)));
});
