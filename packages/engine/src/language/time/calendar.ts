/**
 * This file computes days, weeks and years of the proleptic Gregorian calendar, for any int64 number of milliseconds.
 */

export const MS_PER_DAY = 86_400_000;

export interface Day {
  readonly year: number;
  /** The month, from 1 to 12. */
  readonly month: number;
  readonly day: number;
}

/** The date and time of day. */
export interface DateParts extends Day {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  /** Days since the epoch. */
  readonly days: number;
}

export interface IsoWeek {
  readonly year: number;
  readonly week: number;
  /** The day of the week; Monday is 1. */
  readonly day: number;
}

const DAYS_PER_ERA = 146_097;
/** Days from March 1 of year 0 to the epoch. */
const DAYS_TO_EPOCH = 719_468;

/** Returns days since the epoch. Months and days beyond their range carry over. */
export function daysOf(year: number, month: number, day: number): number {
  const months = year * 12 + month - 1;
  const y = Math.floor(months / 12);
  const m = months - y * 12;
  // Years begin in March here, so that a leap day is the last day of its year.
  const shifted = m < 2 ? y - 1 : y;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((m + 10) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - DAYS_TO_EPOCH;
}

export function dayOf(days: number): Day {
  const shifted = days + DAYS_TO_EPOCH;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** Splits local milliseconds since the epoch into date and time. */
export function partsOf(ms: bigint): DateParts {
  const perDay = BigInt(MS_PER_DAY);
  const whole = ms / perDay;
  const days = Number(ms % perDay < 0n ? whole - 1n : whole);
  const rest = Number(ms - BigInt(days) * perDay);
  return {
    ...dayOf(days),
    hour: Math.floor(rest / 3_600_000),
    minute: Math.floor(rest / 60_000) % 60,
    second: Math.floor(rest / 1000) % 60,
    millisecond: rest % 1000,
    days,
  };
}

/** Returns the day of the week; Sunday is 1. */
export function dayOfWeek(days: number): number {
  return modulo(days + 4, 7) + 1;
}

/** Returns the ISO day of the week; Monday is 1. */
function isoDayOfWeek(days: number): number {
  return modulo(days + 3, 7) + 1;
}

export function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}

export function dayOfYear({ year, days }: DateParts): number {
  return days - daysOf(year, 1, 1) + 1;
}

/** Returns the week of the year. Weeks begin on Sunday; days before the first Sunday are in week 0. */
export function weekOfYear(parts: DateParts): number {
  return Math.floor((dayOfYear(parts) + 7 - dayOfWeek(parts.days)) / 7);
}

/** Returns the ISO week. A week belongs to the year that contains its Thursday. */
export function isoWeekOf(days: number): IsoWeek {
  const day = isoDayOfWeek(days);
  const thursday = days - day + 4;
  const { year } = dayOf(thursday);
  return { year, week: Math.floor((thursday - daysOf(year, 1, 1)) / 7) + 1, day };
}

export function daysOfIsoWeek(year: number, week: number, day: number): number {
  const fourth = daysOf(year, 1, 4);
  return fourth - isoDayOfWeek(fourth) + 1 + (week - 1) * 7 + day - 1;
}

export function daysInMonth(year: number, month: number): number {
  return daysOf(year, month + 1, 1) - daysOf(year, month, 1);
}
