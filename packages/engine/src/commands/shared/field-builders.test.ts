import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Document } from 'bson';
import { entriesOf, RawDocument } from '../../bson/raw.ts';
import { pollsOf } from '../../bson/testing-turns.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import {
  byType,
  converted,
  inRange,
  listOf,
  nested,
  notEmpty,
  notNull,
  nullable,
  ofTypes,
  required,
  text,
  validated,
  words,
} from './field-builders.ts';
import { fields } from './fields.ts';

const failed = (code: 'BadValue' | 'FailedToParse') => () => new ServerError(code, 'wrong');

const reader = fields('frob', {
  name: required(text(failed('BadValue')), failed('FailedToParse')),
  limit: notNull('int'),
  since: nullable('timestamp'),
  half: converted('int', (number) => number / 2),
  level: words(['off', 'strict']),
  seconds: inRange('int', 1, 60),
  ids: listOf('long', { skipsNull: true }),
  roles: notEmpty(listOf('string'), failed('BadValue')),
  index: byType({ string: textOf, number: (): 1 => 1 }),
  update: ofTypes(['object', 'array'], failed('FailedToParse')),
  inner: nested({ a: 'int!', b: 'string' }, { ignored: (name) => name === 'c' }),
  list: listOf(nested({ a: 'int!' }, { unknown: failed('BadValue') })),
  stored: validated(nested({ a: 'int' })),
});

const read = (document: Document) => reader.read(RawDocument.from({ name: 'x', ...document }));

describe('types of fields', () => {
  it('let other statements run while a long list is read', () => {
    const list = RawDocument.from({ name: 'x', ids: Array.from({ length: 20_000 }, (_, i) => BigInt(i)) });
    // Iterating the list alone counts 20,000 steps.
    const alone = pollsOf(() => entriesOf(list.get('ids') as Value));
    const polls = pollsOf(() => reader.read(list));
    assert.ok(polls > 1.5 * alone, `${polls} ${alone}`);
  });

  it('read what their declaration says', () => {
    const { stored, update, ...found } = read({
      limit: 3,
      since: null,
      half: 8,
      level: 'strict',
      seconds: 60,
      ids: [1n, null, 2n],
      roles: ['r'],
      index: 5.5,
      update: [],
      inner: { a: 1, c: 2 },
      list: [{ a: 1 }, { a: 2 }],
      stored: { a: 1.5 },
    });
    const plain = JSON.parse(JSON.stringify({ ...found, ids: found.ids?.map(Number) }));
    assert.deepEqual(plain, {
      name: 'x',
      limit: 3,
      half: 4,
      level: 'strict',
      seconds: 60,
      ids: [1, 2],
      roles: ['r'],
      index: 1,
      inner: { a: 1 },
      list: [{ a: 1 }, { a: 2 }],
    });
    assert.deepEqual(stored?.toObject(), { a: 1.5 });
    assert.ok(update);
  });

  const rejected: Array<[Document, number, string]> = [
    [{ name: 1 }, 2, 'wrong'],
    [
      { limit: null },
      14,
      "BSON field 'frob.limit' is the wrong type 'null', expected types '[long, int, decimal, double]'",
    ],
    [{ level: 'x' }, 2, "Enumeration value 'x' for field 'frob.level' is not a valid value."],
    [{ seconds: 0 }, 2, "BSON field 'seconds' value must be >= 1, actual value '0'"],
    [{ seconds: 61 }, 2, "BSON field 'seconds' value must be <= 60, actual value '61'"],
    [{ ids: [1n, 'x'] }, 14, "BSON field 'frob.ids.1' is the wrong type 'string', expected type 'long'"],
    [{ ids: 1 }, 14, "BSON field 'frob.ids' is the wrong type 'int', expected type 'array'"],
    [{ roles: [] }, 2, 'wrong'],
    [{ roles: [null] }, 14, "BSON field 'frob.roles.0' is the wrong type 'null', expected type 'string'"],
    [
      { index: true },
      14,
      "BSON field 'frob.index' is the wrong type 'bool', expected types '[string, long, int, decimal, double]'",
    ],
    [{ update: 1 }, 9, 'wrong'],
    [{ inner: {} }, 40414, "BSON field 'frob.inner.a' is missing but a required field"],
    [{ inner: { d: 1 } }, 40415, "BSON field 'frob.inner.d' is an unknown field."],
    [{ list: [{ a: 1 }, {}] }, 40414, "BSON field 'frob.list.a' is missing but a required field"],
    [{ list: [{ b: 1 }] }, 2, 'wrong'],
    [{ list: [1] }, 14, "BSON field 'frob.list.0' is the wrong type 'int', expected type 'object'"],
    [{ stored: { b: 1 } }, 40415, "BSON field 'frob.stored.b' is an unknown field."],
  ];
  for (const [document, code, message] of rejected) {
    it(`reject ${JSON.stringify(document, (_, value) => (typeof value === 'bigint' ? Number(value) : value))}`, () => {
      assert.throws(
        () => read(document),
        (error: unknown) => {
          assert.ok(error instanceof ServerError);
          assert.deepEqual([error.code, error.message], [code, message]);
          return true;
        },
      );
    });
  }

  it('reject an absent required field with the error of its declaration', () => {
    assert.throws(() => reader.read(RawDocument.empty), { codeName: 'FailedToParse' });
  });
});
