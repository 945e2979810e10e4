import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serialize } from 'bson';
import { shortestJsonOf } from './extended-json.ts';
import { fromExtendedJson } from './from-extended-json.ts';
import { RawDocument } from './raw.ts';

/** Returns a document as a database returns it. */
const stored = (json: object) =>
  new RawDocument(serialize(fromExtendedJson(json as Record<string, unknown>)));
const shown = (document: RawDocument) => JSON.parse(shortestJsonOf(document.toValue()));

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
  assert.deepEqual(shown(stored({ ...short, ...canonical })), { ...short, ...canonical });
});

test('reading a text again gives the same document, whatever its field names', () => {
  const json = JSON.parse(
    '{"__proto__": {"a": 1}, "constructor": [{"$numberLong": "1"}], "": {"toString": {}}}',
  );
  const once = stored(json);
  const again = stored(shown(once));
  assert.deepEqual(again.toBytes(), once.toBytes());
});
