import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAnalyzers } from './custom-analyzer.ts';

test('custom analyzers whose patterns are too long together are rejected before any is compiled', () => {
  const pattern = '(a|b)+'.repeat(500);
  const analyzer = (name: string, more: object) => ({ name, tokenizer: { type: 'standard' }, ...more });
  const split = (i: number) => analyzer(`n${i}`, { tokenizer: { type: 'regexSplit', pattern } });
  const filter = { type: 'regex', pattern, replacement: '', matches: 'all' };
  const invalid = analyzer('first', { tokenizer: { type: 'regexSplit', pattern: '(' } });
  const many = Array.from({ length: 17 }, (_, i) => split(i));
  const message = /patterns of more than 15000 characters together/;
  // The first pattern is invalid. If it were compiled before the limit is checked, the error would be another one.
  assert.throws(() => newAnalyzers([invalid, ...many], 'analyzers'), message);
  const filters = analyzer('filters', { tokenFilters: Array.from({ length: 17 }, () => filter) });
  assert.throws(() => newAnalyzers([invalid, filters], 'analyzers'), message);
  assert.equal(newAnalyzers(many.slice(0, 2), 'analyzers').length, 2);
  for (const strange of [null, 5, { tokenizer: null, tokenFilters: [null, 'x'] }])
    assert.throws(() => newAnalyzers([strange], 'analyzers'), { name: 'SearchDefinitionError' });
});

test('lookaheads after a leading ^ are allowed in token filters', () => {
  const filter = (pattern: string) => ({
    name: 'mine',
    tokenizer: { type: 'keyword' },
    tokenFilters: [{ type: 'regex', pattern, replacement: '', matches: 'all' }],
  });
  for (const pattern of ['^(?!a)b', '^(?=(?:a|[)])\\))(?!c)(b|c)', '^(?!a)[|]b']) {
    assert.equal(newAnalyzers([filter(pattern)], '').length, 1, pattern);
  }
  const split = { name: 'mine', tokenizer: { type: 'regexSplit', pattern: '^(?!a)b' } };
  const many = '^'.concat('(?!a)'.repeat(11));
  for (const refused of [
    split,
    ...['^(?!a)b|c', '^(?!ab', 'a(?!b)', '(?!a)b', '^(?!(a)', many].map(filter),
  ]) {
    assert.throws(() => newAnalyzers([refused], ''), /is not a regular expression of RE2/);
  }
});
