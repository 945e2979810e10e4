import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { writeDocument } from '../bson/document-writer.ts';
import { RawDocument } from '../bson/raw.ts';
import type { Value } from '../bson/value.ts';
import { WaitForPreparation } from '../errors/interruption.ts';
import { WatchedStatement } from '../statement/statement.ts';
import { ScriptHost } from './scripts.ts';

/**
 * Scripts receive long values in pieces, and the arguments of native functions are limited, so that scripts can be
 * interrupted in between.
 */

const host = new ScriptHost({ now: () => 0, pause() {} });

before(async () => {
  try {
    host.open(true, new WatchedStatement()).prepare();
  } catch (error) {
    assert.ok(error instanceof WaitForPreparation);
    await error.prepared;
  }
});

const made = (v: unknown) => RawDocument.from({ v }).get('v') as Value;
const script = (code: string, statement = new WatchedStatement()) => host.open(true, statement).compile(code);
const call = (code: string, ...args: unknown[]) =>
  writeDocument((writer) => writer.field('v', script(code).call(args.map(made)))).toObject().v;

const numbers = Array.from({ length: 7_001 }, (_, i) => i + 0.5);
const long: Readonly<Record<string, unknown>> = {
  list: numbers,
  'list of lists': [numbers, [[numbers], 'a'], numbers.map((n) => [n, { n }])],
  'document of many fields': Object.fromEntries(numbers.map((n) => [`f${n * 2}`, { n, list: [n] }])),
  'document with a field of another prototype': Object.assign(
    Object.fromEntries(numbers.map((n) => [`f${n * 2}`, n])),
    JSON.parse('{"__proto__": 1.5}'),
  ),
  'long text': `${'aé😀'.repeat(60_000)}b`,
  'list of long texts': ['é'.repeat(70_000), 'x', '"\\'.repeat(40_000)],
};

test('long values are the same in scripts and after them', () => {
  for (const [name, value] of Object.entries(long)) {
    const expected = RawDocument.from({ v: value }).toObject().v;
    assert.deepEqual(call('function (x) { return x; }', value), expected, name);
  }
  assert.equal(call('function (x) { return x.length; }', numbers), numbers.length);
});

test('many emitted values arrive in order', () => {
  const emitted = script('function () { for (const n of this.list) emit(n, { n }); }').emits(
    RawDocument.from({ list: numbers }),
  );
  assert.equal(emitted.length, numbers.length);
  const read = (value: Value) => writeDocument((writer) => writer.field('v', value)).toObject().v;
  assert.deepEqual(
    emitted.map(([key, value]) => [read(key), read(value)]),
    numbers.map((n) => [n, { n }]),
  );
});

test('a statement is interrupted while a long value is read and written', () => {
  const statement = new WatchedStatement();
  const run = script('function (x) { return x; }', statement);
  let looks = 0;
  statement.watch(() => looks++);
  run.call([made(Array.from({ length: 100_000 }, (_, i) => i))]);
  assert.ok(looks > 1_000, `${looks}`);
});

test('long lists are sorted as short ones are', () => {
  const few = '[3, 20, 100, undefined, null, "b", "a", -0, 0, NaN]';
  const code = (times: number, name: string) =>
    `function () { const a = []; for (let i = 0; i < ${times}; i++) a.push(...${few}); return [...new Set(a.${name}().map(String))]; }`;
  for (const name of ['sort', 'toSorted'])
    assert.deepEqual(call(code(5_001, name)), call(code(1, name)), name);
  const floats = (times: number) =>
    `function () { const a = new Float64Array(${times} * 4); for (let i = 0; i < a.length; i++) a[i] = [0, NaN, -5, 3][i % 4]; return [...new Set(a.sort())]; }`;
  assert.deepEqual(call(floats(20_000)), call(floats(1)));
});

test('native functions refuse what would take too long', () => {
  const refused = [
    'JSON.parse("[" + "1,".repeat(600000) + "1]")',
    '"x".repeat(3000000).toUpperCase()',
    'encodeURIComponent("x".repeat(3000000))',
    '"a,".repeat(1500000).split(",")',
    'new Array(600000).fill(1).join()',
    '[].concat(new Array(600000).fill(1))',
  ];
  for (const code of refused) assert.throws(() => call(`() => ${code}`), /RangeError/, code);
  for (const code of [`/*${'x'.repeat(200_000)}*/ 1`, '() => eval("1;".repeat(100000))'])
    assert.throws(
      () => call(code),
      { codeName: 'JSInterpreterFailure', message: /code of more than/ },
      code.slice(-30),
    );
  const results = `function () {
    return [JSON.stringify({ a: [1, { b: undefined }], d: new Date(0) }), JSON.stringify([1], null, 1), JSON.parse('{"a":1}', (k, v) => v).a, [1, [2, 3]].join('-'), [1].concat([2], 3).length].join(' ');
  }`;
  assert.equal(call(results), '{"a":[1,{}],"d":"1970-01-01T00:00:00.000Z"} [\n 1\n] 1 1-2,3 3');
});
