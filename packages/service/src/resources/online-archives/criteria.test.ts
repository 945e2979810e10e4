import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Long, ObjectId } from 'bson';
import { checkCriteria, filterOf } from './criteria.ts';
import { type Criteria, dateFormats } from './schema.ts';

const now = new Date('2025-03-11T00:00:00Z');
const limit = Date.parse('2025-03-01T00:00:00Z');
const by = (dateFormat: NonNullable<Criteria['dateFormat']>): Criteria => ({
  type: 'DATE',
  dateField: 'at',
  dateFormat,
  expireAfterDays: 10,
});

test('the limit of each format has the type of its values', () => {
  const limits = {
    ISODATE: new Date(limit),
    EPOCH_SECONDS: Long.fromNumber(limit / 1000),
    EPOCH_MILLIS: Long.fromNumber(limit),
    EPOCH_NANOSECONDS: Long.fromString(`${limit}000000`),
    OBJECT_ID: ObjectId.createFromTime(limit / 1000),
  };
  for (const format of dateFormats)
    assert.deepEqual(filterOf(by(format), now), { at: { $lt: limits[format] } }, format);
});

test('no format selects a later limit if the age is greater than the time since 1970', () => {
  const early = now.getTime() - 36_500 * 86_400_000;
  const limits = {
    ISODATE: new Date(early),
    EPOCH_SECONDS: Long.fromNumber(early / 1000),
    EPOCH_MILLIS: Long.fromNumber(early),
    EPOCH_NANOSECONDS: Long.fromString(`${early}000000`),
    OBJECT_ID: new ObjectId('0'.repeat(24)),
  };
  for (const format of dateFormats) {
    const criteria = { ...by(format), expireAfterDays: 36_500 };
    assert.deepEqual(filterOf(criteria, now), { at: { $lt: limits[format] } }, format);
  }
});

test('a query is Extended JSON', () => {
  const query = '{"at":{"$lt":{"$date":"2025-03-01T00:00:00Z"}},"state":"done"}';
  assert.deepEqual(filterOf({ type: 'CUSTOM', query }, now), { at: { $lt: new Date(limit) }, state: 'done' });
});

test('criteria with missing or foreign fields, and queries that are no filters, are rejected', () => {
  const rejected: Criteria[] = [
    { type: 'DATE', expireAfterDays: 1 },
    { type: 'DATE', dateField: 'at' },
    { ...by('ISODATE'), query: '{"a":1}' },
    ...['$comment', 'at.$gt', 'at.', '.at', 'at..time', 'at\0'].map((dateField) => ({
      ...by('ISODATE'),
      dateField,
    })),
    { type: 'CUSTOM' },
    { type: 'CUSTOM', query: '{"a":1}', dateField: 'at' },
    ...['{}', '[]', '1', 'null', '{a', '{"a":{"$oid":"none"}}'].map((query) => ({
      type: 'CUSTOM' as const,
      query,
    })),
  ];
  for (const criteria of rejected)
    assert.throws(() => checkCriteria(criteria), { code: 'INVALID_ATTRIBUTE' }, JSON.stringify(criteria));
  checkCriteria(by('ISODATE'));
  checkCriteria({ ...by('ISODATE'), dateField: 'times.0.at$' });
  checkCriteria({ type: 'CUSTOM', query: '{"a":1}' });
});
