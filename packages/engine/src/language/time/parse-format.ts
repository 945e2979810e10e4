import { step } from '../../bson/turns.ts';
import { daysOf, daysOfIsoWeek } from './calendar.ts';
import { FormatError, monthNames } from './format.ts';
import { checkedDays, momentOf, monthNamed, ParseError, type ReadDate, readZone } from './parse.ts';
import type { Zone } from './zone.ts';
import { zoneOf } from './zone.ts';

interface Specifier {
  readonly pattern: string;
  readonly field: string;
}

const months = monthNames.join('|');
const shortMonths = monthNames.map((name) => name.slice(0, 3)).join('|');

const specifiers: Readonly<Record<string, Specifier>> = {
  b: { pattern: `(?:${shortMonths})`, field: 'name' },
  B: { pattern: `(?:${months})`, field: 'name' },
  d: { pattern: '\\d{1,2}', field: 'day' },
  G: { pattern: '\\d{4}', field: 'isoYear' },
  H: { pattern: '\\d{1,2}', field: 'hour' },
  j: { pattern: '\\d{1,3}', field: 'dayOfYear' },
  L: { pattern: '\\d{1,3}', field: 'millisecond' },
  m: { pattern: '\\d{1,2}', field: 'month' },
  M: { pattern: '\\d{2}', field: 'minute' },
  S: { pattern: '\\d{2}', field: 'second' },
  u: { pattern: '[1-7]', field: 'isoDay' },
  V: { pattern: '\\d{1,2}', field: 'isoWeek' },
  Y: { pattern: '\\d{4}', field: 'year' },
  z: { pattern: '(?:[+-]\\d{2}:?\\d{2}|[A-Za-z/_]+)', field: 'zone' },
  Z: { pattern: '[+-]?\\d+', field: 'minutes' },
};

/** Maximum length of a format. Compiling a pattern of megabytes takes half a second. */
const MAX_FORMAT = 16_384;

/**
 * Compiles a format to a pattern. Throws `FormatError` if the format is too long, or if it contains an
 * invalid specifier or one field twice.
 */
export function compileReader(format: string): RegExp {
  if (format.length > MAX_FORMAT) throw new FormatError('unknown', 'the format string is too long');
  let source = '';
  const found = new Set<string>();
  for (const [whole, specifier] of format.matchAll(/%([\s\S]?)|[^%]+/g)) {
    step();
    if (!whole.startsWith('%')) source += whole.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
    else if (specifier === '%') source += '%';
    else {
      const { field, pattern } = knownSpecifier(specifier ?? '');
      if (found.has(field)) throw new FormatError('unknown', 'a specifier stands twice in the format string');
      found.add(field);
      source += `(?<${field}>${pattern})`;
    }
  }
  return new RegExp(`^${source}$`, 'i');
}

function knownSpecifier(specifier: string): Specifier {
  if (specifier === '') throw new FormatError('unmatched', "Unmatched '%' at end of format string");
  const known = specifiers[specifier];
  if (known === undefined) {
    throw new FormatError('unknown', `Invalid format character '%${specifier}' in format string`);
  }
  return known;
}

/**
 * Parses a text that must match the format exactly. Throws `ParseError`, or `FormatError` for an invalid
 * format.
 */
export function parseWithFormat(text: string, format: string, zone: Zone | undefined): bigint {
  const fields = compileReader(format).exec(text)?.groups;
  if (fields === undefined) throw new ParseError(text, 'the text does not have the given format');
  const number = (name: string) => (fields[name] === undefined ? undefined : Number(fields[name]));
  const { millisecond } = fields;
  const read: ReadDate = {
    hour: number('hour') ?? 0,
    minute: number('minute') ?? 0,
    second: number('second') ?? 0,
    millisecond: Number((millisecond ?? '').padEnd(3, '0')),
  };
  const days = daysIn(text, fields, number);
  const own = zoneIn(text, fields.zone, number('minutes'));
  return momentOf(text, { ...read, ...(days !== undefined && { days }), ...(own && { zone: own }) }, zone);
}

function daysIn(
  text: string,
  fields: Readonly<Record<string, string | undefined>>,
  number: (name: string) => number | undefined,
): number | undefined {
  const isoYear = number('isoYear');
  const year = number('year');
  if (isoYear !== undefined || number('isoWeek') !== undefined) {
    if (year !== undefined || fields.month !== undefined || fields.day !== undefined) {
      throw new ParseError(text, 'a format cannot mix dates of the calendar with ISO weeks');
    }
    return isoYear === undefined
      ? undefined
      : daysOfIsoWeek(isoYear, number('isoWeek') ?? 1, number('isoDay') ?? 1);
  }
  if (year === undefined) return undefined;
  const dayOfYear = number('dayOfYear');
  // The server parses days of the year from 0, although it prints them from 1.
  if (dayOfYear !== undefined) return daysOf(year, 1, dayOfYear + 1);
  const month = fields.name === undefined ? number('month') : monthNamed(fields.name);
  const day = number('day');
  return month === undefined || day === undefined ? undefined : checkedDays(text, year, month, day);
}

function zoneIn(text: string, name: string | undefined, minutes: number | undefined): Zone | undefined {
  if (name !== undefined) return readZone(text, name);
  if (minutes === undefined) return undefined;
  const size = Math.abs(minutes);
  const hours = String(Math.floor(size / 60)).padStart(2, '0');
  return zoneOf(`${minutes < 0 ? '-' : '+'}${hours}${String(size % 60).padStart(2, '0')}`);
}
