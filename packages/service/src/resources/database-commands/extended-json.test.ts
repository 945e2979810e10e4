import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deserialize, EJSON, serialize } from 'bson';
import { fromExtendedJson, toExtendedJson } from './extended-json.ts';

/** A document as a database returns it. */
const stored = (json: object) =>
  deserialize(serialize(fromExtendedJson(json as Record<string, unknown>)), {
    promoteValues: false,
    bsonRegExp: true,
  });

test('values have the shortest form that keeps their type', () => {
  const short = {
    int: 5,
    least: -2147483648,
    long: 12345678901,
    double: 0.5,
    date: { $date: '2026-01-02T03:04:05.678Z' },
    id: { $oid: '0123456789abcdef01234567' },
    list: [1, { deep: null }, true, 'text'],
    pattern: { $regularExpression: { pattern: '^a', options: 'i' } },
  };
  const canonical = {
    whole: { $numberDouble: '5.0' },
    endless: { $numberDouble: 'Infinity' },
    small: { $numberLong: '5' },
    huge: { $numberLong: '9223372036854775807' },
    decimal: { $numberDecimal: '1.50' },
    ancient: { $date: { $numberLong: '-62198755200000' } },
    moment: { $timestamp: { t: 1, i: 2 } },
    binary: { $binary: { base64: 'AQI=', subType: '00' } },
  };
  assert.deepEqual(toExtendedJson(stored({ ...short, ...canonical })), { ...short, ...canonical });
});

test('reading a text again gives the same document, whatever its field names', () => {
  const json = JSON.parse(
    '{"__proto__": {"a": 1}, "constructor": [{"$numberLong": "1"}], "": {"toString": {}}}',
  );
  const once = stored(json);
  const again = stored(toExtendedJson(once) as object);
  assert.equal(EJSON.stringify(again, { relaxed: false }), EJSON.stringify(once, { relaxed: false }));
});
