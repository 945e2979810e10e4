import { LAST_MOMENT } from '@portolan/foundation/clock';

/**
 * This file parses the dates of requests. Dates are in ISO 8601, with or without a time, and in UTC if they
 * have no time zone (docs/contract/api.md 2.1). Handlers receive the date as UTC text,
 * `YYYY-MM-DDTHH:MM:SS[.mmm]Z`.
 */

const form =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d\d):?(\d\d)?)?)?$/;

/** Returns the date in UTC, or undefined if the text is not a date. `2024-02-30`, for example, is not a date. */
export function utcDate(text: string): string | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, sign, zoneHours, zoneMinutes] = match;
  if (!isTimeOfDay(hour, minute, second) || !isTimeOfDay(zoneHours, zoneMinutes)) return undefined;
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  // Date.parse reads February 30 as March 1.
  if (Number.isNaN(midnight) || new Date(midnight).getUTCDate() !== Number(day)) return undefined;
  const milliseconds = Number((fraction ?? '').padEnd(3, '0').slice(0, 3));
  const time = (count(hour) * 60 + count(minute)) * 60_000 + count(second) * 1000 + milliseconds;
  const zone = (count(zoneHours) * 60 + count(zoneMinutes)) * 60_000 * (sign === '-' ? -1 : 1);
  const date = new Date(midnight + time - zone);
  // A zone offset can move the first or last representable day out of the four-digit years.
  if (date.getUTCFullYear() < 0 || date.getUTCFullYear() > 9999) return undefined;
  return fraction === undefined ? wholeSeconds(date) : date.toISOString();
}

/**
 * Returns a date as `YYYY-MM-DDTHH:MM:SSZ`, the form of every date in a response (docs/contract/access.md 5). A date
 * after the year 9999, where service time ends, becomes the end of that year.
 */
export function wholeSeconds(date: Date): string {
  const shown = date.getTime() > LAST_MOMENT ? new Date(LAST_MOMENT) : date;
  return `${shown.toISOString().slice(0, 19)}Z`;
}

function isTimeOfDay(hour = '0', minute = '0', second = '0'): boolean {
  return Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
}

function count(text: string | undefined): number {
  return text === undefined ? 0 : Number(text);
}
