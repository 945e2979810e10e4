import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Document } from 'bson';
import { RawDocument } from '../../../bson/raw.ts';
import { pollsOf } from '../../../bson/testing-turns.ts';
import { WatchedStatement } from '../../../statement/statement.ts';
import { compileJsonSchema } from './compile.ts';

const SIZE = 1_000;
const names = Array.from({ length: SIZE }, (_, i) => `f${i}`);
const fields = (make: (name: string) => unknown) =>
  Object.fromEntries(names.map((name) => [name, make(name)]));

/** Returns how often a statement reads the clock while it compiles a schema. */
function looksOf(schema: Document): number {
  const statement = new WatchedStatement();
  let looks = 0;
  statement.watch(() => looks++);
  compileJsonSchema(RawDocument.from(schema), statement);
  return looks;
}

describe('a schema is compiled with checks', () => {
  it('at each pattern', () => {
    assert.ok(looksOf({ patternProperties: fields(() => ({})) }) >= SIZE);
    assert.ok(looksOf({ patternProperties: fields(() => ({})), additionalProperties: false }) >= 2 * SIZE);
  });

  it('at each 64 names', () => {
    for (const schema of [{ required: names }, { dependencies: { a: names } }]) {
      const polls = pollsOf(() => compileJsonSchema(RawDocument.from(schema)));
      assert.ok(polls >= Math.floor(SIZE / 64), `${polls}`);
    }
  });

  it('once per schema, however deep it is', () => {
    const nested = (depth: number): Document =>
      depth === 0 ? {} : { patternProperties: { x: nested(depth - 1) }, additionalProperties: false };
    const looks = looksOf(nested(15));
    assert.ok(looks < 100, `${looks}`);
  });
});

describe('additionalProperties', () => {
  it('concerns only fields that no property or pattern names', () => {
    const schema = { properties: { a: {} }, patternProperties: { '^x': {} }, additionalProperties: false };
    const accepts = compileJsonSchema(RawDocument.from(schema));
    const accepted = [{ a: 1, x1: 1 }, { y: 1 }].map((doc) => accepts(RawDocument.from(doc).toValue()));
    assert.deepEqual(accepted, [true, false]);
  });
});
