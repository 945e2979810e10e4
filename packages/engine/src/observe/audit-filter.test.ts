import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { RawDocument } from '../bson/raw.ts';
import { auditFilter, compileAuditFilter } from './audit-filter.ts';

const message = (user: string) => RawDocument.from({ atype: 'authenticate', param: { user } });

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
    const reasons: string[] = [];
    const wanted = auditFilter(filter, (reason) => reasons.push(reason));
    assert.ok(wanted(message('anna')), 'an invalid filter records everything');
    assert.equal(reasons.length, 1, filter);
  }
});

test('filters compare only, within bounds', () => {
  const range = '{"$range": [0, 20000000]}';
  const nested = (depth: number) => `${'{"$nor": ['.repeat(depth)}{"a": 1}${']}'.repeat(depth)}`;
  const refused: Array<[filter: string, culprit: RegExp]> = [
    [`{"$expr": {"$gt": [{"$size": ${range}}, 5]}}`, /cannot use \$expr/],
    [`{"$or": [{"a": 1}, {"$nor": [{"$expr": ${range}}]}]}`, /cannot use \$expr/],
    ['{"$where": "true"}', /cannot use \$where/],
    ['{"$jsonSchema": {"required": ["atype"]}}', /cannot use \$jsonSchema/],
    ['{"users": {"$elemMatch": {"$jsonSchema": {}}}}', /cannot use \$jsonSchema/],
    ['{"result": {"$bitsAllSet": {"$binary": {"base64": "AAAA", "subType": "00"}}}}', /\$bitsAllSet/],
    [nested(10), /deeper than 20 levels/],
    [`${'{"a": '.repeat(8000)}1${'}'.repeat(8000)}`, /deeper than 20 levels/],
    [JSON.stringify({ atype: { $in: Array(1000).fill('authenticate') } }), /more than 1000 values/],
    [JSON.stringify({ atype: 'a'.repeat(65_536) }), /longer than 65536 characters/],
    ['{"atype": {"$regex": "a{600}"}, "param.user": {"$regex": "b{600}"}}', /larger than 1000 characters/],
    [JSON.stringify({ atype: { $regex: '\\pL'.repeat(100) } }), /larger than 1000 characters/],
  ];
  for (const [filter, culprit] of refused) assert.throws(() => compileAuditFilter(filter), culprit, filter);
  for (const filter of [
    nested(9),
    JSON.stringify({ atype: { $nin: Array(900).fill('logout') } }),
    '{"users": {"$elemMatch": {"user": "anna", "db": {"$exists": true}}}}',
    '{"ts": {"$gt": {"$date": "2024-01-01T00:00:00Z"}}, "result": {"$ne": 0}}',
  ]) {
    assert.doesNotThrow(() => compileAuditFilter(filter), filter);
  }
});

test('a message whose values take too many comparisons is recorded', async () => {
  const array = (length: number, value: unknown) => RawDocument.from({ a: Array(length).fill(value) });
  const equal = Array.from({ length: 300 }, (_, number) => ({ a: { $numberDecimal: `1.5${number}` } }));
  const filters = [
    [{ $or: equal }, array(6000, 1)],
    [{ $or: Array(200).fill({ a: { $regex: 'b' } }) }, array(6000, '')],
  ] as const;
  for (const [filter, large] of filters) {
    const isRecorded = auditFilter(JSON.stringify(filter), assert.fail);
    assert.ok(isRecorded(large), 'too many comparisons');
    await setImmediate();
    assert.ok(!isRecorded(array(3, 'a')));
  }
});

test('messages of the same turn have a maximum number of comparisons together, and later ones are filtered', async () => {
  const values = Array.from({ length: 100 }, (_, number) => ({ a: 1000 + number }));
  const isRecorded = auditFilter(JSON.stringify({ $or: values }), assert.fail);
  const medium = RawDocument.from({ a: Array(30).fill(1) });
  const recorded = Array.from({ length: 20 }, () => isRecorded(medium));
  assert.deepEqual([recorded[0], recorded.at(-1)], [false, true]);
  // The limit does not concern small messages.
  assert.ok(!isRecorded(message('anna')));
  await setImmediate();
  assert.ok(!isRecorded(medium));
});

test('a message that takes too long to filter is recorded', () => {
  const never = auditFilter('{"param.user": {"$regex": "^b{100}$"}}', assert.fail);
  assert.ok(!never(message('a'.repeat(1000))));
  assert.ok(never(message('a'.repeat(20_000))), 'too many steps');
  assert.ok(auditFilter('{"atype": "logout"}', assert.fail)(message('a'.repeat(70_000))), 'too large');
});
