import { dayOfWeek, daysInMonth, daysOf, MS_PER_DAY, modulo, partsOf } from './calendar.ts';
import { fromLocal, toLocal, type Zone } from './zone.ts';

export type TimeUnit =
  | 'year'
  | 'quarter'
  | 'month'
  | 'week'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'
  | 'millisecond';

/** The length of calendar units in months or days. */
const months: Partial<Record<TimeUnit, number>> = { year: 12, quarter: 3, month: 1 };
const days: Partial<Record<TimeUnit, number>> = { week: 7, day: 1 };
/** The length of the other units in milliseconds. */
const milliseconds: Partial<Record<TimeUnit, number>> = {
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
  millisecond: 1,
};

export function timeUnit(name: string): TimeUnit | undefined {
  return Object.hasOwn(months, name) || Object.hasOwn(days, name) || Object.hasOwn(milliseconds, name)
    ? (name as TimeUnit)
    : undefined;
}

/** Sunday is 1, as in `dayOfWeek`. */
const weekDays: readonly string[] = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
];

/** Returns the day of the week by its name or the first three letters; 0 for other names. */
export function weekDay(name: string): number {
  const lower = name.toLowerCase();
  return weekDays.findIndex((day) => lower === day || lower === day.slice(0, 3)) + 1;
}

const perDay = BigInt(MS_PER_DAY);

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by !== 0n && value < 0n !== by < 0n ? quotient - 1n : quotient;
}

/**
 * Adds units to a date. Days and longer units are added in local time; a day after the end of the month becomes the
 * last day of the month.
 */
export function addUnits(ms: bigint, unit: TimeUnit, amount: bigint, zone: Zone): bigint {
  const size = milliseconds[unit];
  if (size !== undefined) return ms + amount * BigInt(size);
  const local = toLocal(ms, zone);
  const inDays = days[unit];
  if (inDays !== undefined) return fromLocal(local + amount * BigInt(inDays) * perDay, zone);
  const parts = partsOf(local);
  const month = parts.year * 12 + parts.month - 1 + Number(amount) * (months[unit] ?? 1);
  const year = Math.floor(month / 12);
  const inYear = modulo(month, 12) + 1;
  const day = Math.min(parts.day, daysInMonth(year, inYear));
  const inDay = local - BigInt(parts.days) * perDay;
  return fromLocal(BigInt(daysOf(year, inYear, day)) * perDay + inDay, zone);
}

/** Counts the unit boundaries between two dates. Weeks begin on the day `startOfWeek`. */
export function unitsBetween(
  start: bigint,
  end: bigint,
  unit: TimeUnit,
  zone: Zone,
  startOfWeek: number,
): bigint {
  const size = milliseconds[unit];
  if (size !== undefined) return smallUnitsBetween(start, end, BigInt(size), zone);
  const [from, to] = [partsOf(toLocal(start, zone)), partsOf(toLocal(end, zone))];
  if (unit === 'day') return BigInt(to.days - from.days);
  if (unit === 'week') return BigInt(weekNumber(to.days, startOfWeek) - weekNumber(from.days, startOfWeek));
  const inUnit = months[unit] ?? 1;
  const count = ({ year, month }: { year: number; month: number }) =>
    Math.floor((year * 12 + month - 1) / inUnit);
  return BigInt(count(to) - count(from));
}

/** Counts boundaries in local time, because the UTC offset of a zone may not be a full hour. */
function smallUnitsBetween(start: bigint, end: bigint, size: bigint, zone: Zone): bigint {
  if (size === 1n) return end - start;
  const [before, after] = [BigInt(zone.offsetAt(start)), BigInt(zone.offsetAt(end))];
  return floorDivide(end + after, size) - floorDivide(start + before, size) - (after - before) / size;
}

function weekNumber(day: number, startOfWeek: number): number {
  return Math.floor((day - modulo(dayOfWeek(day) - startOfWeek, 7) + 7) / 7);
}

/** Bins of several units are aligned with the start of this year. */
const REFERENCE_YEAR = 2000;

/** Returns the start of the bin of `size` units that contains the date. */
export function truncate(ms: bigint, unit: TimeUnit, size: bigint, zone: Zone, startOfWeek: number): bigint {
  const reference = daysOf(REFERENCE_YEAR, 1, 1);
  const inMs = milliseconds[unit];
  if (inMs !== undefined) {
    const origin = fromLocal(BigInt(reference) * perDay, zone);
    const width = size * BigInt(inMs);
    return origin + floorDivide(ms - origin, width) * width;
  }
  const parts = partsOf(toLocal(ms, zone));
  const inDays = days[unit];
  if (inDays !== undefined) {
    const origin = unit === 'week' ? reference + modulo(startOfWeek - dayOfWeek(reference), 7) : reference;
    const width = size * BigInt(inDays);
    const begun = BigInt(origin) + floorDivide(BigInt(parts.days - origin), width) * width;
    return fromLocal(begun * perDay, zone);
  }
  const width = size * BigInt(months[unit] ?? 1);
  const month = (parts.year - REFERENCE_YEAR) * 12 + parts.month - 1;
  const begun = Number(floorDivide(BigInt(month), width) * width);
  return fromLocal(BigInt(daysOf(REFERENCE_YEAR, begun + 1, 1)) * perDay, zone);
}
