import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditFilter, compileAuditFilter } from './audit-filter.ts';

const message = (user: string) => ({ atype: 'authenticate', param: { user } });

test('audit filter patterns match in linear time', () => {
  const wanted = compileAuditFilter('{"param.user": {"$regex": "^(a+)+$", "$options": "i"}}');
  assert.ok(wanted(message('AAA')));
  assert.ok(!wanted(message(`${'a'.repeat(50_000)}!`)));
});

test('audit filter patterns match in linear time in every operator', () => {
  const pattern = { $regularExpression: { pattern: '^(a+)+$', options: '' } };
  const places = [
    pattern,
    { $in: [pattern] },
    { $in: ['x', pattern] },
    { $all: [pattern] },
    { $not: pattern },
    { $not: { $regex: '^(a+)+$' } },
    { $elemMatch: { $in: [pattern] } },
  ];
  for (const place of places) {
    const wanted = compileAuditFilter(JSON.stringify({ $or: [{ 'param.user': place }, { other: 1 }] }));
    const isNegated = '$not' in place;
    assert.equal(wanted(message(`${'a'.repeat(50_000)}!`)), isNegated, JSON.stringify(place));
  }
});

test('patterns match in every operator, and backtracking ones are rejected', () => {
  for (const filter of [
    '{"param.user": {"$regularExpression": {"pattern": "^an", "options": ""}}}',
    '{"param.user": {"$in": [{"$regularExpression": {"pattern": "^an", "options": ""}}]}}',
    '{"param.user": {"$not": {"$regex": "^be"}}}',
  ]) {
    assert.ok(compileAuditFilter(filter)(message('anna')), filter);
    assert.ok(!compileAuditFilter(filter)(message('bert')), filter);
  }
  for (const filter of [
    '{"param.user": {"$regex": "(a)\\\\1"}}',
    '{"param.user": {"$regex": "a", "$options": "x"}}',
    '{"param.user": {"$regex": "(?:a?a?){1000}{1000}"}}',
    '{"$expr": {"$regexMatch": {"input": "$param.user", "regex": "a"}}}',
  ]) {
    assert.throws(() => compileAuditFilter(filter), filter);
    assert.ok(auditFilter(filter)(message('anna')), 'rather too much than a gap');
  }
});
