import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as hold, jsonValue, property } from 'fast-check';
import { parseJson } from './json-text.ts';

const DEPTH = 64;

function refused(text: string) {
  try {
    parseJson(text, DEPTH);
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

test('JSON is read as it is', () => {
  hold(
    property(jsonValue(), (value) => {
      // Its names are free, and this one is refused.
      const text = JSON.stringify(value).replaceAll('__proto__', 'proto');
      assert.deepEqual(parseJson(text, 1000), JSON.parse(text));
    }),
  );
});

test('what is no JSON is malformed', () => {
  for (const text of ['{', '{"a":1,}', "{'a':1}", '{"a":01}', 'nul', '{"a":1}{}', '\u0000']) {
    assert.equal(refused(text).code, 'MALFORMED_JSON', text);
  }
});

test('a name that is given twice in one object is named', () => {
  assert.deepEqual(refused('{"a":1,"b":{"c":1,"d":[],"c":2}}'), {
    code: 'VALIDATION_ERROR',
    message: 'c is given more than once in one object.',
    field: 'c',
  });
  assert.equal(refused('{"a":1,"\\u0061":2}').field, 'a');
  assert.deepEqual(parseJson('{"a":{"a":1},"b":[{"a":1},{"a":"a"},"a","a"]}', DEPTH), {
    a: { a: 1 },
    b: [{ a: 1 }, { a: 'a' }, 'a', 'a'],
  });
});

test('brackets and quotes within texts are text', () => {
  const value = { 'a"[{': '\\"}]{[', b: ['\\', '"'] };
  assert.deepEqual(parseJson(JSON.stringify(value), 2), value);
});

test('a document may be nested as deep as allowed and no deeper', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  parseJson(nested(DEPTH), DEPTH);
  assert.equal(refused(nested(DEPTH + 1)).message, 'The document is nested deeper than 64 levels.');
  assert.equal(refused('{"a":'.repeat(65) + 1 + '}'.repeat(65)).code, 'VALIDATION_ERROR');
});

test('a name that would change what an object is, is refused', () => {
  assert.equal(refused('{"__proto__":{"admin":true}}').code, 'INVALID_ATTRIBUTE');
});

test('a text that holds NUL or half of a surrogate pair is named', () => {
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
    assert.equal(parseJson(text, DEPTH), JSON.parse(text));
  }
});
