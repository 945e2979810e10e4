import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as hold, jsonValue, property } from 'fast-check';
import { JsonScan } from './json-scan.ts';
import { parseJson } from './json-text.ts';

const DEPTH = 64;
const VALUES = 1000;
const LONGEST = 100;

/** Parses a text received in chunks. */
function read(text: string, { depth = DEPTH, values = VALUES, piece = 7 } = {}): unknown {
  const scan = new JsonScan({ bodyDepth: depth, bodyValues: values });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += piece) scan.add(bytes.subarray(at, at + piece));
  return parseJson(text, { names: scan.names, longestText: LONGEST });
}

function refused(text: string) {
  try {
    read(text);
  } catch (error) {
    const { code, message, fields } = error as {
      code: string;
      message: string;
      fields?: { field: string }[];
    };
    return { code, message, field: fields?.[0]?.field };
  }
  return assert.fail(`took ${text}`);
}

test('JSON is parsed unchanged', () => {
  hold(
    property(jsonValue(), (value) => {
      // Renamed, since `__proto__` is rejected as a name.
      const text = JSON.stringify(value).replaceAll('__proto__', 'proto');
      assert.deepEqual(read(text, { depth: 1000 }), JSON.parse(text));
    }),
  );
});

test('invalid JSON is malformed', () => {
  for (const text of ['{', '{"a":1,}', "{'a':1}", '{"a":01}', 'nul', '{"a":1}{}', '\u0000']) {
    assert.equal(refused(text).code, 'MALFORMED_JSON', text);
  }
});

test('a repeated field name is reported', () => {
  assert.deepEqual(refused('{"a":1,"b":{"c":1,"d":[],"c":2}}'), {
    code: 'VALIDATION_ERROR',
    message: 'c is given more than once in one object.',
    field: 'c',
  });
  assert.equal(refused('{"a":1,"\\u0061":2}').field, 'a');
  assert.deepEqual(read('{"a":{"a":1},"b":[{"a":1},{"a":"a"},"a","a"]}'), {
    a: { a: 1 },
    b: [{ a: 1 }, { a: 'a' }, 'a', 'a'],
  });
});

test('brackets and quotes in strings are not counted', () => {
  const value = { 'a"[{': '\\"}]{[', b: ['\\', '"'] };
  assert.deepEqual(read(JSON.stringify(value), { depth: 2 }), value);
});

test('the depth of a document is limited', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  read(nested(DEPTH));
  assert.equal(refused(nested(DEPTH + 1)).message, 'The document is nested deeper than 64 levels.');
  assert.equal(refused('{"a":'.repeat(65) + 1 + '}'.repeat(65)).code, 'VALIDATION_ERROR');
});

test('the field name __proto__ is rejected', () => {
  assert.equal(refused('{"__proto__":{"admin":true}}').code, 'INVALID_ATTRIBUTE');
});

test('a string with NUL or half of a surrogate pair is reported', () => {
  for (const [text, field] of [
    ['"\\u0000"', ''],
    ['{"a":"x\\u0000"}', 'a'],
    ['{"a":[{"b":"\\ud83d"}]}', 'a.0.b'],
    ['{"a":"\\uDE00\\ud83d"}', 'a'],
    ['{"a":{"\\udfff":1}}', 'a'],
  ] as const) {
    assert.deepEqual([refused(text).code, refused(text).field], ['VALIDATION_ERROR', field], text);
  }
  for (const text of ['"\\ud83d\\ude00"', '"\\\\u0000"', '"\\u0001\\uffff"']) {
    assert.equal(read(text), JSON.parse(text));
  }
});

test('the number of values is limited, at any depth', () => {
  for (const [text, values] of [
    ['7', 1],
    ['[]', 2],
    ['[1,2,3]', 4],
    ['{"a":1,"b":[",,[{","\\"{",{}]}', 7],
  ] as const) {
    for (const piece of [1, 2, 1000]) {
      read(text, { values, piece });
      const refusal = {
        code: 'VALIDATION_ERROR',
        message: `The document contains more than ${values - 1} values.`,
      };
      if (text.includes(',')) assert.throws(() => read(text, { values: values - 1, piece }), refusal, text);
    }
  }
  assert.equal(
    refused(`[${'{},'.repeat(VALUES)}{}]`).message,
    `The document contains more than ${VALUES} values.`,
  );
});

test('a string that is too long is reported', () => {
  const text = 'x'.repeat(LONGEST + 1);
  assert.deepEqual(refused(JSON.stringify({ a: ['', text] })), {
    code: 'VALIDATION_ERROR',
    message: `a.1 must NOT have more than ${LONGEST} characters`,
    field: 'a.1',
  });
  assert.deepEqual(read(JSON.stringify([text.slice(1), text.slice(1)])), [text.slice(1), text.slice(1)]);
});
