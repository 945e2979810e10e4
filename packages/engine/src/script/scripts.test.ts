import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import { inspect } from 'node:util';
import {
  Binary,
  BSONRegExp,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson';
import { RawDocument } from '../bson/raw.ts';
import type { Value } from '../bson/value.ts';
import { WaitForPreparation } from '../errors/interruption.ts';
import { WatchedStatement } from '../statement/statement.ts';
import { ScriptHost } from './scripts.ts';

/** Machine time passes only while scripts sleep, so that calls do not exceed their time limit on a busy machine. */
let slept = 0;
const host = new ScriptHost({
  now: () => slept,
  pause: (ms) => {
    slept += ms;
  },
});
const statement = new WatchedStatement();

/** Calls `work` again until an interpreter is free. */
async function prepared<T>(work: () => T): Promise<T> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof WaitForPreparation)) throw error;
      await error.prepared;
    }
  }
}

before(() => prepared(() => host.open(true, statement).prepare()));

function call(code: string, ...args: unknown[]): unknown {
  const values = args.map((arg) => RawDocument.from({ v: arg }).get('v') as Value);
  return plain(host.open(true, statement).compile(code).call(values));
}

function plain(value: Value): unknown {
  return RawDocument.from({ v: null }) && new RawDocument(wrapped(value)).toObject().v;
}

function wrapped(value: Value): Uint8Array {
  const content = value.bytes.subarray(value.start, value.end);
  const bytes = Buffer.concat([
    Buffer.alloc(4),
    Buffer.from([value.type]),
    Buffer.from('v\0'),
    content,
    Buffer.alloc(1),
  ]);
  bytes.writeInt32LE(bytes.length);
  return new Uint8Array(bytes);
}

const kept: readonly unknown[] = [
  1.5,
  'a "quoted" text\n\u2028',
  true,
  null,
  { a: { b: [1.5, 'x', { c: null }] }, 7: 'x' },
  [],
  {},
  Long.fromString('9223372036854775807'),
  Decimal128.fromString('1.10'),
  new Date(1_700_000_000_123),
  new ObjectId('0123456789abcdef01234567'),
  new Binary(Buffer.from('hello'), 5),
  new BSONRegExp('^a.c$', 'i'),
  new Timestamp({ t: 5, i: 9 }),
  new MinKey(),
  new MaxKey(),
  new Double(-0),
  new Double(Number.POSITIVE_INFINITY),
  { '\u0001': 'o', v: 'no object id' },
];

test('round-trips values through scripts', () => {
  for (const value of kept) {
    const expected = RawDocument.from({ v: value }).toObject().v;
    assert.deepEqual(call('function (x) { return x; }', value), expected, inspect(value));
  }
});

const called: ReadonlyArray<readonly [code: string, args: readonly unknown[], expected: unknown]> = [
  ['function (x) { return x * 2; }', [new Int32(21)], 42],
  ['(x) => x.length', ['abc'], 3],
  ['x => x + 1', [1], 2],
  ['1 + 2', [], 3],
  ['var x = 4; return x * x;', [], 16],
  ['function () { return NumberInt(5); }', [], 5],
  ['function () { return NumberLong("7") + 1; }', [], 8],
  ['function () { return NumberLong("9007199254740993"); }', [], 9_007_199_254_740_993n],
  ['function () { return Array.sum([1, 2, 3.5]); }', [], 6.5],
  [
    'function (d) { return ISODate("2020-01-01").getTime() === d.getTime(); }',
    [new Date('2020-01-01')],
    true,
  ],
  ['function (id) { return id.equals(ObjectId(id.str)); }', [new ObjectId()], true],
  ['function (b) { return b.hex() + b.subtype(); }', [new Binary(Buffer.from([1, 255]), 0)], '01ff0'],
  [
    'function () { return UUID("00112233-4455-6677-8899-aabbccddeeff").hex(); }',
    [],
    '00112233445566778899aabbccddeeff',
  ],
  [
    'function () { return { a: [1, , 2].length, b: function () { return 1; } }; }',
    [],
    { a: 3, b: new Code('function () { return 1; }') },
  ],
  ['function () { return undefined; }', [], undefined],
];

test('accepts functions, expressions and function bodies', () => {
  for (const [code, args, expected] of called) assert.deepEqual(call(code, ...args), expected, code);
});

test('tests a document as this and obj', () => {
  const script = (code: string) => host.open(true, statement).compile(code);
  const doc = RawDocument.from({ a: new Int32(3), b: [1, 2] });
  assert.equal(script('this.a == 3').test(doc), true);
  assert.equal(script('function () { return obj.b.length > 2; }').test(doc), false);
  assert.equal(script('return this.a').test(doc), true);
  assert.equal(script('this.gone').test(doc), false);
});

const failing: ReadonlyArray<readonly [code: string, message: RegExp]> = [
  ['function () { return gone; }', /^ReferenceError: .*gone/],
  ['function () { throw "no"; }', /^uncaught exception: no/],
  ['function ( {', /^SyntaxError/],
  ['function f() { return f() + 1; }', /stack overflow|call stack/i],
  ['function () { return new Array(1e8).fill(0); }', /out of memory/],
];

test("reports script failures with the interpreter's error code", () => {
  for (const [code, message] of failing) {
    assert.throws(() => call(code), { codeName: 'JSInterpreterFailure', message }, code);
    assert.equal(call('1 + 1'), 2);
  }
});

test('bounds the time of native functions that look for a text in a text', () => {
  const names = ['indexOf', 'lastIndexOf', 'includes', 'split', 'replace', 'replaceAll'];
  for (const name of names) {
    const long = `function () { return 'a'.repeat(1000000).${name}('a'.repeat(1000) + 'b', ''); }`;
    assert.throws(() => call(long), { codeName: 'JSInterpreterFailure', message: /^RangeError: / }, name);
    const hidden = `function () { return ''.${name}.call({ toString: () => 'a'.repeat(1000000) }, ['a'.repeat(1000)]); }`;
    assert.throws(() => call(hidden), { codeName: 'JSInterpreterFailure', message: /^RangeError: / }, name);
  }
  for (const code of ["'a'.includes(/a/)", "'a'.replaceAll(/a/, 'b')"])
    assert.throws(() => call(code), { message: /^TypeError: / }, code);
  const results = `function () {
    const a = 'a-b-a';
    return [a.indexOf('a', 1), a.lastIndexOf('a'), a.includes('-b'), a.split('-', 2).join(), a.replace('a', 'c'), a.replaceAll('a', 'c'), a.replace(/[ab]/g, (x) => x + x), a.split(/-/).length, a.split().length].join(' ');
  }`;
  assert.equal(call(results), '4 4 true a,b c-b-a c-b-c aa-bb-aa 3 1');
});

test('bounds the large blocks of a script', () => {
  const code = `function () {
    const blocks = [];
    try { for (;;) blocks.push(new ArrayBuffer(8 << 20)); } catch { return blocks.length; }
  }`;
  const blocks = Number(call(code));
  assert.ok(blocks > 4 && blocks < 16, `${blocks} blocks`);
});

test('interrupts a script when its statement is interrupted', () => {
  const reason = new Error('ended');
  const before = statement.watch(() => {
    throw reason;
  });
  try {
    assert.throws(() => call('while (true) {}'), reason);
  } finally {
    statement.watch(before);
  }
  assert.equal(call('1 + 1'), 2);
});

/** Calls that would run for seconds in native functions, without any call or loop iteration in JavaScript. */
const natives: Readonly<Record<string, string>> = {
  'a search in a long list without entries': 'const a = []; a.length = 4294967295; return a.indexOf(1);',
  'a search in an object with a length': 'return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);',
  'a sort of an object with a length': 'return Array.prototype.sort.call({ length: 1e9 });',
  'a reversal of an object with a length': 'return Array.prototype.reverse.call({ length: 1e15 });',
  'an order of marks': 'return ("a" + "\\u0301\\u0323".repeat(500000)).normalize("NFC").length;',
  'a comparison of marks': 'const s = "\\u0301\\u0323".repeat(500000); return s.localeCompare(s + "a");',
  'keys of a proxy':
    'return Reflect.ownKeys(new Proxy({}, { ownKeys: () => Array.from({ length: 500000 }, (_, i) => "k" + i) })).length;',
};

test('interrupts native functions, and other scripts go on', async () => {
  const reason = new Error('ended');
  const fresh = new ScriptHost({ now: () => 0, pause() {} });
  const compiled = (code: string) => prepared(() => fresh.open(true, statement).compile(code));
  const other = await compiled('1 + 1');
  for (const [name, body] of Object.entries(natives)) {
    const script = await compiled(`function () { ${body} }`);
    let looks = 0;
    const before = statement.watch(() => {
      if (++looks === 100) assert.equal(plain(other.call([])), 2, name);
      if (looks > 200) throw reason;
    });
    try {
      assert.throws(() => script.call([]), reason, name);
    } finally {
      statement.watch(before);
    }
  }
});

test('replaces interpreters that were left', async () => {
  const waiting = Array.from({ length: 20 }, () =>
    prepared(() => host.open(true, statement).compile('1 + 1').call([])),
  );
  for (const value of await Promise.all(waiting)) assert.equal(plain(value), 2);
});

test('asks whether to stop between few calls of native functions', () => {
  let looks = 0;
  const before = statement.watch(() => looks++);
  try {
    const code =
      'function () { let n = 0; for (let i = 0; i < 1000; i++) n += "x".toUpperCase().length; return n; }';
    assert.equal(call(code), 1_000);
  } finally {
    statement.watch(before);
  }
  assert.ok(looks > 15, `${looks}`);
});

test('refuses BigInt, whose arithmetic cannot be interrupted, and keeps NumberLong', () => {
  const refused = [
    '1n',
    '[...[0x1fn]]',
    '1_000n << 5n',
    'eval("1" + "n")',
    'new Function("return 1" + "n")()',
    '(function* () {}).constructor("yield 1" + "n")().next().value',
    'Object.getPrototypeOf(async function () {}).constructor("return 1" + "n")()',
  ];
  for (const code of refused) assert.throws(() => call(code), /BigInt/, code);
  for (const code of [
    'typeof BigInt',
    'typeof BigInt64Array',
    'typeof new DataView(new ArrayBuffer(8)).getBigInt64',
  ])
    assert.equal(call(code), 'undefined', code);
  assert.equal(call('"2nd" + "x1n" + eval("1 + 1")'), '2ndx1n2');
  assert.equal(call('new Function("a", "b", "return a + b")(1, 2)'), 3);
  assert.equal(call('(function () {}) instanceof Function'), true);
  assert.equal(call('NumberLong("9223372036854775808").toString()'), 'NumberLong("-9223372036854775808")');
  assert.throws(() => call('NumberLong("9".repeat(1000))'), /digits/);
});

test('refuses deeply nested code, and continues with other scripts', async () => {
  const [nested, hidden] = [250, 60_000];
  const around = (n: number, [open, close]: readonly [string, string]) =>
    `${open.repeat(n)}1${close.repeat(n)}`;
  const kinds = [
    ['(', ')'],
    ['[', ']'],
    ['f(', ')'],
    ['{a:', '}'],
    ['(b=', ')'],
    ['[...[', ']]'],
    ['`${', '}`'],
  ] as const;
  for (const kind of kinds) {
    const code = `return ${around(10_000, kind)}`;
    for (const each of [code, `return eval(${JSON.stringify(code)})`, `Function(${JSON.stringify(code)})`]) {
      const message = /^SyntaxError: code with more than 250 nested brackets/;
      assert.throws(() => call(each), { codeName: 'JSInterpreterFailure', message }, each.slice(0, 30));
    }
  }
  // A quote in a regular expression hides the brackets, so that the stack of the thread overflows.
  const unseen = `return [/'/, ${around(hidden, ['(', ')'])}, /'/]`;
  assert.throws(() => call(unseen), { codeName: 'JSInterpreterFailure', message: /stack overflow/ });
  await prepared(() => host.open(true, statement).prepare());
  assert.equal(call(`return ${around(nested - 1, ['(', ')'])}`), 1);
  assert.equal(call(`return '${'('.repeat(hidden)}'.length /* ${'['.repeat(hidden)} */`), hidden);
  assert.equal(call(`return /${'\\('.repeat(hidden / 10)}/.test('')`), false);
});

test('isolates operations from each other', () => {
  call('function () { globalThis.left = 1; Array.sum = null; }');
  assert.equal(call('typeof left'), 'undefined');
  const own = host.open(true, statement);
  own.compile('function () { globalThis.count = 1; }').call([]);
  assert.equal(plain(own.compile('count').call([])), 1);
});

test('confines scripts to the sandbox', () => {
  for (const name of ['process', 'require', 'fetch', 'setTimeout', 'WebAssembly', 'std', 'os']) {
    assert.equal(call(`typeof ${name}`), 'undefined', name);
  }
});

test('lets a script sleep longer than it may run, and interrupts its sleep', () => {
  const before = slept;
  assert.equal(call('function () { sleep(20000); return "rested"; }'), 'rested');
  assert.ok(slept - before > 19_000);
  const look = statement.watch(() => {
    if (slept - before > 20_050) throw new Error('time is up');
  });
  try {
    assert.throws(() => call('function () { sleep(1000); }'), /time is up/);
    assert.throws(
      () => call('function () { try { sleep(1000); } catch (e) {} while (true) {} }'),
      /time is up/,
    );
  } finally {
    statement.watch(look);
  }
});

test('has the functions of the server', () => {
  assert.equal(call('function () { return hex_md5("Anya") + hex_md5("é"); }'), `${md5('Anya')}${md5('é')}`);
  assert.throws(() => call('function () { return hex_md5(1); }'), /hex_md5 takes a single string argument/);
  assert.throws(() => call('function () { return hex_md5("a".repeat(3000000)); }'), /so long a text/);
  assert.throws(() => call('function () { assert(1 === 2, "why"); }'), /assert failed : why/);
  assert.throws(() => call('function () { doassert("why"); }'), /why/);
  assert.equal(call('function () { assert(true); return tojsonObject({ a: 1 }); }'), '{"a":1}');
  const names =
    'MaxKey MinKey BinData DBPointer DBRef gc HexData isNumber isObject ISODate isString Map MD5 NumberInt ' +
    'NumberLong ObjectId print printjson printjsononeline sleep Timestamp tojson tojsononeline UUID version';
  for (const name of names.split(' '))
    assert.equal(call(`function () { return typeof ${name}; }`), 'function', name);
});

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
