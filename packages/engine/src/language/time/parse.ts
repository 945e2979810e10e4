import { daysInMonth, daysOf, daysOfIsoWeek, MS_PER_DAY } from './calendar.ts';
import { monthNames } from './format.ts';
import { fromLocal, utc, type Zone, zoneOf } from './zone.ts';

/** The text is not a date. */
export class ParseError extends Error {
  constructor(text: string, reason: string) {
    super(`Error parsing date string '${text}'; ${reason}`);
  }
}

/** The components of a parsed date. Omitted time components are 0. */
export interface ReadDate {
  days?: number;
  hour?: number;
  minute?: number;
  second?: number;
  millisecond?: number;
  zone?: Zone;
}

/**
 * Parses ISO 8601 dates (including week dates and ordinal dates), `July 4, 2017`, `4 Jul 2017` and
 * `7/4/2017`, each with an optional time and zone. A text without a zone is interpreted in `zone`, or in UTC
 * if `zone` is omitted. If the text contains a zone, `zone` must be UTC or omitted.
 */
export function parseDate(text: string, zone?: Zone): bigint {
  const trimmed = yearMoved(withoutZeros(text));
  const [days, rest] = readDays(trimmed);
  const time = readTime(trimmed, rest);
  return momentOf(text, { days, ...time }, zone);
}

/** Removes zero characters at both ends. A regular expression would take quadratic time for zeros in the middle. */
function withoutZeros(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === '\0') start++;
  while (end > start && text[end - 1] === '\0') end--;
  return text.slice(start, end);
}

export function momentOf(text: string, read: ReadDate, zone: Zone | undefined): bigint {
  if (read.days === undefined) {
    throw new ParseError(text, 'an incomplete date/time string has been found, with elements missing');
  }
  if (read.zone !== undefined && zone?.isUtc === false) {
    throw new ParseError(
      text,
      'you cannot pass in a date/time string with time zone information and a timezone',
    );
  }
  const { hour = 0, minute = 0, second = 0, millisecond = 0 } = read;
  if (hour > 24 || minute > 59 || second > 59) throw new ParseError(text, 'The parsed time was invalid');
  const inDay = ((hour * 60 + minute) * 60 + second) * 1000 + millisecond;
  const local = BigInt(read.days) * BigInt(MS_PER_DAY) + BigInt(inDay);
  return fromLocal(local, read.zone ?? zone ?? utc);
}

const monthPattern = monthNames.map((name) => `${name}|${name.slice(0, 3)}`).join('|');

/**
 * Returns the number of the month whose name begins with the first three letters of `name`, ignoring case.
 * Returns 0 if there is none.
 */
export function monthNamed(name: string): number {
  return (
    monthNames.findIndex((full) => full.slice(0, 3).toLowerCase() === name.slice(0, 3).toLowerCase()) + 1
  );
}

type Read = (text: string, groups: readonly string[]) => number;

function calendar(year: number, month: number, day: number): Read {
  return (text, groups) =>
    checkedDays(text, Number(groups[year]), Number(groups[month]), Number(groups[day]));
}

function withName(year: number, name: number, day: number): Read {
  return (text, groups) =>
    checkedDays(text, Number(groups[year]), monthNamed(groups[name] as string), Number(groups[day]));
}

export function checkedDays(text: string, year: number, month: number, day: number): number {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) {
    throw new ParseError(text, 'The parsed date was invalid');
  }
  return daysOf(year, month, day);
}

const end = '(?=$|[T\\s,])';
const dayName = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?,?\\s+)?';
const dayNumber = '(\\d{1,2})(?:st|nd|rd|th)?';

const shapes: ReadonlyArray<readonly [RegExp, Read]> = [
  [shape(`([-+]?\\d{4})-(\\d{1,2})-(\\d{1,2})`), calendar(1, 2, 3)],
  [shape(`(\\d{4})/(\\d{1,2})/(\\d{1,2})`), calendar(1, 2, 3)],
  [shape(`(\\d{4})(\\d{2})(\\d{2})`), calendar(1, 2, 3)],
  [shape(`(\\d{1,2})/(\\d{1,2})/(\\d{4})`), calendar(3, 1, 2)],
  [shape(`(\\d{1,2})[-.](\\d{1,2})[-.](\\d{4})`), calendar(3, 2, 1)],
  [shape(`(\\d{4})-(\\d{2})`), (text, [, year, month]) => checkedDays(text, Number(year), Number(month), 1)],
  [
    shape(`(\\d{4})-?W(\\d{2})(?:-?([0-7]))?`),
    (_, [, y, w, d]) => daysOfIsoWeek(Number(y), Number(w), Number(d ?? 1)),
  ],
  [shape(`(\\d{4})[-.]?(\\d{3})`), (_, [, year, day]) => daysOf(Number(year), 1, Number(day))],
  [shape(`${dayName}${dayNumber}[ .\\t-]*(${monthPattern})[ .,\\t-]*(\\d{4})`), withName(3, 2, 1)],
  [shape(`${dayName}(${monthPattern})[ .\\t-]*${dayNumber}[ ,.\\t-]+(\\d{4})`), withName(3, 1, 2)],
  [shape(`(\\d{4})-?(${monthPattern})-?(\\d{1,2})`), withName(1, 2, 3)],
];

const yearLast = new RegExp(
  `^\\s*${dayName}(${monthPattern})\\s+${dayNumber}\\s+(\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?)(\\s+\\S+)?\\s+(\\d{4})\\s*$`,
  'i',
);

/** Moves the year before the time in texts of C's `ctime` format, such as `Wed Jan 31 12:05:28 UTC 1996`. */
function yearMoved(text: string): string {
  return text.replace(yearLast, '$1 $2 $5 $3$4');
}

function shape(source: string): RegExp {
  return new RegExp(`^${source}${end}`, 'i');
}

function readDays(text: string): [number, string] {
  const trimmed = text.replace(/^[ \t-\r\xa0]+/, '');
  for (const [pattern, read] of shapes) {
    const match = pattern.exec(trimmed);
    if (match !== null) return [read(text, match), trimmed.slice(match[0].length)];
  }
  throw new ParseError(text, 'an incomplete or unknown date/time string has been found');
}

const timePattern =
  /^[T\s,]*(?:at\s+)?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,:](\d+))?)?(?:\s*([ap])\.?m\.?)?|^[T\s]+(\d{2})(\d{2})(\d{2})?(?:[.,](\d+))?|^[T\s,]+(\d{1,2})\s*([ap])\.?m\.?/i;

function readTime(text: string, rest: string): ReadDate {
  const match = timePattern.exec(rest);
  const after = (match === null ? rest : rest.slice(match[0].length)).trim();
  if (match === null) {
    if (after !== '') return { zone: readZone(text, after) };
    return {};
  }
  const [, h, m, s, f, meridian, compactHour, compactMinute, compactSecond, compactFraction, bare, half] =
    match;
  const read: ReadDate = {
    hour: hourOf(text, Number(h ?? compactHour ?? bare), meridian ?? half),
    minute: Number(m ?? compactMinute ?? 0),
    second: Number(s ?? compactSecond ?? 0),
    millisecond: Number((f ?? compactFraction ?? '').padEnd(3, '0').slice(0, 3)),
  };
  return after === '' ? read : { ...read, zone: readZone(text, after) };
}

function hourOf(text: string, hour: number, meridian: string | undefined): number {
  if (meridian === undefined) return hour;
  if (hour < 1 || hour > 12) throw new ParseError(text, 'The parsed time was invalid');
  return (hour % 12) + (meridian.toLowerCase() === 'p' ? 12 : 0);
}

/** UTC offsets of North American and European zone abbreviations, in hours. */
const abbreviations: Readonly<Record<string, number>> = {
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  CET: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
  WET: 0,
  WEST: 1,
  BST: 1,
  MSK: 3,
};

export function readZone(text: string, written: string): Zone {
  const name = written.replace(/^\((.*)\)$/, '$1');
  const hours = abbreviations[name.toUpperCase()];
  const offset = /^(?:GMT|UTC)?([+-]\d{1,2}(?::?\d{2})?)$/i.exec(name)?.[1];
  const zone =
    hours !== undefined
      ? zoneOf(`${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}`)
      : zoneOf(offset ?? (/^(?:z|utc|gmt)$/i.test(name) ? 'UTC' : name));
  if (zone === undefined) throw new ParseError(text, 'The timezone could not be found in the database');
  return zone;
}
