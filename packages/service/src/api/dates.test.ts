import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utcDate, wholeSeconds } from './dates.ts';

test('a date without a zone is in UTC, and one with a zone is converted to UTC', () => {
  const read = {
    '2024-08-05': '2024-08-05T00:00:00Z',
    '2024-08-05T07:30': '2024-08-05T07:30:00Z',
    '2024-08-05T07:30:15': '2024-08-05T07:30:15Z',
    '2024-08-05 07:30:15': '2024-08-05T07:30:15Z',
    '2024-08-05T07:30:15Z': '2024-08-05T07:30:15Z',
    '2024-08-05T07:30:15.25Z': '2024-08-05T07:30:15.250Z',
    '2024-08-05T07:30:15.123456789Z': '2024-08-05T07:30:15.123Z',
    '2024-08-05T07:30:15+02:00': '2024-08-05T05:30:15Z',
    '2024-08-05T23:30:15-0130': '2024-08-06T01:00:15Z',
    '2024-02-29T00:00:00+01': '2024-02-28T23:00:00Z',
  };
  for (const [text, date] of Object.entries(read)) assert.equal(utcDate(text), date, text);
});

test('rejects invalid dates', () => {
  const wrong = [
    '',
    'yesterday',
    '2024',
    '2024-8-5',
    '2024-02-30',
    '2023-02-29',
    '2024-13-01',
    '2024-08-05T24:00:00Z',
    '2024-08-05T07:60:00Z',
    '2024-08-05T07:30:15+25:00',
    '2024-08-05T07:30:15Zulu',
    '9999-12-31T23:59:59-01:00',
    '1722841815',
  ];
  for (const text of wrong) assert.equal(utcDate(text), undefined, text);
});

test('dates in responses have whole seconds', () => {
  assert.equal(wholeSeconds(new Date('2024-08-05T07:30:15.999Z')), '2024-08-05T07:30:15Z');
});

test('dates after the year 9999 are shown as its end', () => {
  assert.equal(wholeSeconds(new Date(Date.UTC(10_000, 0, 31))), '9999-12-31T23:59:59Z');
});
