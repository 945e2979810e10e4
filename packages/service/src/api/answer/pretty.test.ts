import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pretty } from './pretty.ts';

test('two spaces of indent, spaces around the colon, arrays of objects opened on one line', () => {
  const value = {
    empty: {},
    links: [
      { href: 'h', rel: 'self' },
      { href: 'i', rel: 'next' },
    ],
    none: [],
    numbers: [1, 2],
    text: 'a "b"',
    left: undefined,
  };
  assert.equal(
    pretty(value),
    [
      '{',
      '  "empty" : { },',
      '  "links" : [ {',
      '    "href" : "h",',
      '    "rel" : "self"',
      '  }, {',
      '    "href" : "i",',
      '    "rel" : "next"',
      '  } ],',
      '  "none" : [ ],',
      '  "numbers" : [ 1, 2 ],',
      '  "text" : "a \\"b\\""',
      '}',
    ].join('\n'),
  );
});

test('pretty printing does not change the document', () => {
  const value = { a: [{ b: null, c: [true, 1.5] }], d: 'é\n' };
  assert.deepEqual(JSON.parse(pretty(value)), value);
});
