import assert from 'node:assert/strict';
import { it } from 'node:test';
import { prefixOf } from './regex-prefix.ts';

const cases: ReadonlyArray<[pattern: string, flags: string, text: string, isWhole: boolean]> = [
  ['^abc', '', 'abc', true],
  ['\\Aabc', '', 'abc', true],
  ['^john\\.doe@', '', 'john.doe@', true],
  ['^\\/a\\_b', '', '/a_b', true],
  ['^\\Qa.b\\E*c', '', 'a.', false],
  ['^\\Qa.*', '', 'a.*', true],
  ['^a\\d', '', 'a', false],
  ['^a.c', '', 'a', false],
  ['^ab*', '', 'a', false],
  ['^ab{2}', '', 'a', false],
  ['^ab+', '', 'ab', false],
  ['^a(b|c)', '', '', false],
  ['^a\\|b', '', 'a|b', true],
  ['^a b#c', 'x', 'ab', false],
  ['^a b *', 'x', 'a', false],
  ['^ab', 's', 'ab', true],
  ['^ab', 'm', '', false],
  ['\\Aab', 'm', 'ab', true],
  ['^ab', 'i', '', false],
  ['ab', '', '', false],
  ['^', '', '', false],
  ['^😀?', '', '', false],
  ['^a\\', '', 'a', false],
];
for (const [pattern, flags, text, isWhole] of cases) {
  it(`/${pattern}/${flags} begins with "${text}"`, () => {
    assert.deepEqual(prefixOf({ pattern, flags }), { text, isWhole });
  });
}
