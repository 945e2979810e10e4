import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compilePattern } from './pattern.ts';
import { PatternError } from './pattern-error.ts';

type Row = readonly [pattern: string, flags: string, matches: readonly string[], others: readonly string[]];

const rows: readonly Row[] = [
  ['^app', '', ['apple'], ['an app', 'x\napp']],
  ['^b', 'm', ['a\nb'], ['ab']],
  ['a$', '', ['a', 'a\n'], ['a\nb', 'a\n\n']],
  ['a$', 'm', ['a\nb'], ['ab']],
  ['a\\z', '', ['a'], ['a\n']],
  ['a.b', '', ['a\rb', 'a\u2028b'], ['a\nb']],
  ['a.b', 's', ['a\nb'], ['ab']],
  ['ABC', 'i', ['abc'], ['abd']],
  ['CAFÉ', 'i', ['café'], ['cafe']],
  ['(?i)a(?-i)b', '', ['Ab', 'ab'], ['aB']],
  ['(?i:a)b', '', ['Ab'], ['AB']],
  ['(?i)a(?-i)b|(?i)c(?-i)d|e', '', ['Ab', 'Cd', 'e'], ['AB', 'CD', 'E']],
  ['x((?i)a|b)c', '', ['xAc', 'xBc'], ['xAC', 'Xac']],
  ['a b # note\nc', 'x', ['abc'], ['a b c']],
  ['a\\ b[ #]', 'x', ['a b ', 'a b#'], ['ab']],
  ['[[:alpha:]]+[[:^digit:]]', '', ['ab'], ['a1', '12']],
  ['[]a]', '', [']', 'a'], ['b']],
  ['[^]a]', '', ['b'], [']']],
  ['\\d\\w\\s\\h', '', ['1a \t'], ['１a  ', '1é  ', '1a\u00a0 ']],
  ['\\Qa.b\\E+', '', ['a.b', 'a.bb'], ['axb']],
  ['(a)(b)\\2\\1', '', ['abba'], ['abab']],
  ['(?P<x>a)(?P=x)\\k<x>', '', ['aaa'], ['aa']],
  ['(?>a+)ab', '', [], ['aaab']],
  ['a++b', '', ['aab'], ['aa']],
  ['a{2}', '', ['aa'], ['a']],
  ['^a{,2}$', '', ['', 'aa'], ['aaa']],
  ['a{x}', '', ['a{x}'], ['aa']],
  ['\\x41\\x{42}\\103\\e', '', ['ABC\u001b'], ['ABC']],
  ['\\p{Lu}\\P{L}\\pN', '', ['A-1'], ['a-1']],
  ['a(?#note)b', '', ['ab'], ['a']],
  ['(?<=a)b(?!c)', '', ['ab'], ['abc', 'b']],
  ['a\\Rb', '', ['a\r\nb', 'a\nb'], ['ab']],
  ['^💥.$', '', ['💥💥'], ['💥']],
];

test('matches as Perl-compatible patterns do', () => {
  for (const [pattern, flags, matches, others] of rows) {
    const { regexp } = compilePattern(pattern, flags);
    for (const text of matches)
      assert.ok(regexp.test(text), `/${pattern}/${flags} on ${JSON.stringify(text)}`);
    for (const text of others)
      assert.ok(!regexp.test(text), `/${pattern}/${flags} not on ${JSON.stringify(text)}`);
  }
});

test('keeps group numbers although the translation adds groups', () => {
  const { regexp, groups } = compilePattern('(?>x)(a)y++(b)', '');
  const found = regexp.exec('xayyb');
  assert.deepEqual(
    groups.map((group) => found?.texts[group]),
    ['a', 'b'],
  );
});

test('rejects invalid and unsupported patterns', () => {
  for (const pattern of [
    '[a',
    '(a',
    'a)',
    '*a',
    '\\',
    '(?R)',
    '(?(1)a)',
    '\\Ka',
    '\\1',
    '(*FAIL)',
    'a'.repeat(32765),
  ]) {
    assert.throws(() => compilePattern(pattern, ''), PatternError, pattern.slice(0, 20));
  }
  assert.throws(() => compilePattern('a', 'g'), PatternError);
});

test('matches quoted text literally and throws no other error', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom('', 'm', 'is'),
      (text, flags) => {
        const quoted = `^${text.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&')}$`;
        assert.ok(compilePattern(quoted, flags).regexp.test(text));
      },
    ),
  );
  const parts = fc.constantFrom(
    'a',
    '(',
    ')',
    '[',
    ']',
    '?',
    '*',
    '+',
    '{2}',
    '|',
    '\\',
    '^',
    '$',
    '(?i)',
    '(?:',
    '.',
    '-',
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 10 }), (pattern) => {
      try {
        compilePattern(pattern.join(''), '').regexp.test('aa-a');
      } catch (error) {
        assert.ok(error instanceof PatternError, String(error));
      }
    }),
    { numRuns: 500 },
  );
});
