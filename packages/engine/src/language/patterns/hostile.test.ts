import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { pollsOf } from '../../bson/testing-turns.ts';
import { Machine } from './machine.ts';
import { compilePattern } from './pattern.ts';
import { compileProgram } from './program.ts';
import { readSyntax } from './syntax.ts';
import { Translator } from './translator.ts';

const optional = `(${'a?'.repeat(64)})${'a'.repeat(64)}`;
const letters = 'a'.repeat(41);
const han = '\u8a9e';
const wide = `[${Array.from({ length: 200 }, (_, index) => String.fromCodePoint(0x10000 + index * 512)).join('')}]`;

/**
 * Patterns for which V8 takes minutes or more, each with a text and whether it matches; `limit` means that it is
 * rejected.
 */
const hostile: readonly (readonly [string, string, string, boolean | 'limit' | 'too large'])[] = [
  [optional, '', 'a'.repeat(64), true],
  [optional, '', 'a'.repeat(63), false],
  ['^(a+)+$', '', letters, true],
  ['^(a+)+$', '', `${letters}!`, false],
  ['( a + ) + $ # end', 'x', `${letters}!`, false],
  ['^(A+)+$', 'i', `${letters}!`, false],
  ['((a*)*)*b', '', 'a'.repeat(2000), false],
  ['(a|a)*b', '', 'a'.repeat(2000), false],
  ['(.*)*x', '', 'a'.repeat(2000), false],
  ['.*.*.*.*=x', '', 'a'.repeat(2000), false],
  ['(?=(a+)+$)\\1b', '', `${letters}!`, 'limit'],
  ['(?=(a+))\\1b', '', 'aab', true],
  ['^(a+)+\\1b', '', 'a'.repeat(60), 'limit'],
  ['^(a{1,50}){1,50}$', '', `${letters}!`, false],
  ['((a{0,100}){0,100}){0,100}b', '', 'a', 'too large'],
  ['(?>(?:a|a)*)b', '', letters, false],
  ['(?!(a+)+b)c', '', letters, 'limit'],
  ['\\p{L}*\\p{L}{3000}1', '', han.repeat(6300), 'limit'],
  [`${'\\p{L}?'.repeat(10)}${'\\p{L}'.repeat(380)}`, 'i', han.repeat(30), false],
  [wide.repeat(8), '', han.repeat(30), false],
  ['(*UCP)'.concat('\\w'.repeat(5000)), 'i', han, 'too large'],
];

/** Runs in another process, because V8 cannot be interrupted while it matches a pattern. */
test('a lookahead that has saved many slots is left in turns', () => {
  const program = compileProgram(readSyntax('(?=(a?){2,})', false));
  let checks = 0;
  const statement = { checkNow: () => checks++ };
  assert.ok(new Machine(program, 'a'.repeat(100_000), statement).test(false));
  // The steps alone cause 55 checks.
  assert.ok(checks > 60, `${checks}`);
});

test('other statements can run after each class of a pattern that is compiled', () => {
  const classes = Array.from({ length: 60 }, (_, at) => `[\\p{L}${String.fromCodePoint(0x3400 + at)}]`);
  let checks = 0;
  compileProgram(readSyntax(classes.join(''), true), { checkNow: () => checks++ });
  assert.equal(checks, 60);
});

test('a back reference compares a long text in pieces', () => {
  const half = '\u00c9'.repeat(100_000);
  const program = compileProgram(readSyntax('(.*)b\\1$', true));
  const { toLowerCase } = String.prototype;
  let longest = 0;
  String.prototype.toLowerCase = function () {
    longest = Math.max(longest, this.length);
    return toLowerCase.call(this);
  };
  try {
    assert.ok(new Machine(program, `${half}b${half.replaceAll('\u00c9', '\u00e9')}`).test(true));
  } finally {
    String.prototype.toLowerCase = toLowerCase;
  }
  assert.equal(longest, 65_536);
});

test('other statements can run while a pattern is matched for a caller without a statement', () => {
  const { regexp } = compilePattern('^(a+)+$', '');
  const polls = pollsOf(() => assert.equal(regexp.test(`${'a'.repeat(100_000)}!`), false));
  assert.ok(polls > 10, `${polls}`);
});

test('matches or rejects patterns on which V8 would not end', () => {
  const program = `
    const { compilePattern } = await import(${JSON.stringify(import.meta.resolve('./pattern.ts'))});
    const answers = ${JSON.stringify(hostile)}.map(([pattern, flags, text]) => {
      try {
        return compilePattern(pattern, flags).regexp.test(text);
      } catch (error) {
        if (error.code === 51156) return 'limit';
        return error.message.endsWith('too large') ? 'too large' : String(error);
      }
    });
    console.log(JSON.stringify(answers));`;
  const ran = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: 200_000,
    killSignal: 'SIGKILL',
  });
  assert.equal(ran.signal, null, 'a pattern did not end');
  assert.deepEqual(
    JSON.parse(ran.stdout),
    hostile.map(([, , , answer]) => answer),
    ran.stderr,
  );
});

test('translates patterns in linear time, to texts of similar length', () => {
  const { user } = process.cpuUsage();
  for (const pattern of [`a{${'1'.repeat(300_000)}`, `a{1,${'1'.repeat(300_000)}`])
    assert.ok(new Translator(pattern, '').translate().text.length < pattern.length + 10);
  const modes = `${'(?i)(?-i)'.repeat(100)}${'|a'.repeat(7000)}`;
  assert.ok(new Translator(modes, '').translate().text.length < 10 * modes.length);
  // In quadratic time, it would take a minute.
  assert.ok(process.cpuUsage().user - user < 20_000_000);
});

test('rejects a text for which V8 has too many alternatives to remember', () => {
  const { regexp } = compilePattern('^((a))*d', '');
  const text = 'a'.repeat(3_300_000);
  assert.throws(() => regexp.test(text), { code: 51156 });
  assert.throws(() => regexp.exec(text), { code: 51156 });
});

test('finds all matches and groups of a pattern that V8 does not compile', () => {
  const { regexp } = compilePattern('((?:a|ab)*)(c?)', '');
  const text = '💥abac-a';
  const found = Array.from(regexp.all(text), ({ index, texts }) => [index, ...texts]);
  assert.deepEqual(
    found,
    Array.from(text.matchAll(/((?:a|ab)*)(c?)/gu), (match) => [match.index, ...match]),
  );
  assert.equal(regexp.exec(text)?.index, 0);
});

test('matches as V8 does, groups included', () => {
  const leaf = fc.constantFrom('a', 'b', '[^a]', '[ab]', '\\b', '^', '(?=\\n?$)', '💥', '(?<=a|^)', '(?i:A)');
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => a + b),
      fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
      tie('pattern').map((inner) => `(${inner})`),
      fc
        .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{1,2}', '*?', '+?', '??', '{2,}'))
        .map(([inner, sign]) => `(?:${inner})${sign}`),
      fc.tuple(fc.constantFrom('(?=', '(?!'), tie('pattern')).map(([sign, inner]) => `${sign}${inner})`),
    ),
  }));
  // The texts have no characters beyond the basic plane, since V8 finds `(?!^)` within a surrogate pair, contrary to
  // the standard.
  const texts = fc
    .array(fc.constantFrom('a', 'b', 'A', 'é', '\n'), { maxLength: 8 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(pattern, texts, fc.boolean(), (source, text, ignoreCase) => {
      const expected = new RegExp(source, ignoreCase ? 'iu' : 'u').exec(text);
      const syntax = readSyntax(source, ignoreCase);
      const program = compileProgram(syntax);
      const slots = new Machine(program, text).find(0, false);
      assert.equal(new Machine(program, text).test(false), expected !== null);
      const found =
        slots &&
        Array.from({ length: syntax.groups + 1 }, (_, group) =>
          (slots[2 * group] as number) < 0 ? undefined : text.slice(slots[2 * group], slots[2 * group + 1]),
        );
      assert.deepEqual(found, expected === null ? undefined : [...expected]);
      assert.equal(slots?.[0], expected?.index);
    }),
    { numRuns: 1000 },
  );
});
