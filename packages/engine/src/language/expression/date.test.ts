import { test } from 'node:test';
import { Long, Timestamp } from 'bson';
import { assertRefused, assertValues } from '../testing/expressions.ts';

const at = (text: string) => new Date(text);
const d = at('2024-03-10T09:30:15.123Z');
const timezone = 'America/New_York';

test('extracts parts of dates, including in time zones', () => {
  assertValues([
    [{ $year: '$d' }, { d }, 2024],
    [{ $hour: { date: '$d', timezone } }, { d }, 5],
    [{ $hour: { date: '$d', timezone: '+05:30' } }, { d }, 15],
    [{ $dayOfWeek: '$d' }, { d }, 1],
    [{ $dayOfYear: '$d' }, { d }, 70],
    [{ $week: '$d' }, { d }, 10],
    [{ $isoWeek: '$d' }, { d: at('2021-01-03T00:00:00Z') }, 53],
    [{ $isoWeekYear: '$d' }, { d: at('2021-01-03T00:00:00Z') }, Long.fromNumber(2020)],
    [{ $year: '$d' }, { d: new Timestamp({ t: 0, i: 1 }) }, 1970],
    [{ $year: '$d' }, { d: null }, null],
    [
      { $dateToParts: { date: '$d' } },
      { d },
      { year: 2024, month: 3, day: 10, hour: 9, minute: 30, second: 15, millisecond: 123 },
    ],
  ]);
});

test('formats and parses dates', () => {
  const text = (dateString: string, more = {}) => ({ $dateFromString: { dateString, ...more } });
  assertValues([
    [{ $dateToString: { date: '$d' } }, { d }, '2024-03-10T09:30:15.123Z'],
    [
      { $dateToString: { date: '$d', format: '%d %b %G-%V %j %z %Z', timezone } },
      { d },
      '10 Mar 2024-10 070 -0400 -240',
    ],
    [{ $dateToString: { date: '$gone', onNull: 'none' } }, {}, 'none'],
    [text('2024-03-10T09:30:15.123Z'), {}, d],
    [text('2024-03-10 09:30', { timezone }), {}, at('2024-03-10T13:30:00Z')],
    [text('March 10, 2024'), {}, at('2024-03-10T00:00:00Z')],
    [text('Sun Mar 10 09:30:00 +02:30 2024'), {}, at('2024-03-10T07:00:00Z')],
    [text('sun mar 10 09:30 2024', { timezone }), {}, at('2024-03-10T13:30:00Z')],
    [text('10/03/2024 07:05', { format: '%d/%m/%Y %H:%M' }), {}, at('2024-03-10T07:05:00Z')],
    [text('never', { onError: 'no' }), {}, 'no'],
  ]);
  assertRefused([
    [{ $dateToString: { date: '$d', format: '%q' } }, { d }, 18536],
    [{ $dateToString: { date: '$d', timezone: 'Nowhere/At_All' } }, { d }, 40485],
    [text('2024-02-30'), {}, 241],
    [{ $year: '$d' }, { d: 'x' }, 16006],
  ]);
});

test('adds, subtracts and truncates dates by units', () => {
  const startDate = '$d';
  assertValues([
    [
      { $dateAdd: { startDate, unit: 'month', amount: 1 } },
      { d: at('2024-01-31T00:00:00Z') },
      at('2024-02-29T00:00:00Z'),
    ],
    // A day on which daylight saving time begins has 23 hours.
    [
      { $dateAdd: { startDate, unit: 'day', amount: 1, timezone } },
      { d: at('2024-03-09T17:00:00Z') },
      at('2024-03-10T16:00:00Z'),
    ],
    [{ $dateSubtract: { startDate, unit: 'hour', amount: 10 } }, { d }, at('2024-03-09T23:30:15.123Z')],
    [
      { $dateDiff: { startDate, endDate: at('2025-01-01T00:00:00Z'), unit: 'year' } },
      { d },
      Long.fromNumber(1),
    ],
    [
      { $dateDiff: { startDate, endDate: at('2024-03-11T00:00:00Z'), unit: 'week', startOfWeek: 'monday' } },
      { d },
      Long.fromNumber(1),
    ],
    [{ $dateTrunc: { date: '$d', unit: 'week', startOfWeek: 'mon' } }, { d }, at('2024-03-04T00:00:00Z')],
    [{ $dateTrunc: { date: '$d', unit: 'month', binSize: 2 } }, { d }, at('2024-03-01T00:00:00Z')],
    [{ $dateFromParts: { year: 2024, month: 14, day: '$n' } }, { n: 0 }, at('2025-01-31T00:00:00Z')],
    [{ $dateFromParts: { isoWeekYear: 2024, isoWeek: '$n' } }, { n: 1 }, at('2024-01-01T00:00:00Z')],
  ]);
  assertRefused([
    [{ $dateAdd: { startDate, unit: 'age', amount: 1 } }, { d }, 9],
    [{ $dateAdd: { startDate, unit: 'day', amount: 1.5 } }, { d }, 5166405],
    [{ $dateTrunc: { date: '$d', unit: 'day', binSize: 0 } }, { d }, 5439018],
    [{ $dateFromParts: { year: 0, month: '$n' } }, { n: 1 }, 40523],
    [{ $dateFromParts: { month: 1 } }, {}, 40516],
  ]);
});
