import { step } from '../../bson/turns.ts';
import { type DateParts, dayOfWeek, dayOfYear, isoWeekOf, partsOf, weekOfYear } from './calendar.ts';
import { toLocal, utc, type Zone } from './zone.ts';

export const monthNames: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

interface Moment {
  readonly parts: DateParts;
  /** The offset of the zone in minutes; positive east of UTC. */
  readonly offset: number;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

function signed(minutes: number, text: (size: number) => string): string {
  return `${minutes < 0 ? '-' : '+'}${text(Math.abs(minutes))}`;
}

const specifiers: Readonly<Record<string, (moment: Moment) => string>> = {
  '%': () => '%',
  b: ({ parts }) => (monthNames[parts.month - 1] as string).slice(0, 3),
  B: ({ parts }) => monthNames[parts.month - 1] as string,
  d: ({ parts }) => pad(parts.day, 2),
  G: ({ parts }) => pad(isoWeekOf(parts.days).year, 4),
  H: ({ parts }) => pad(parts.hour, 2),
  j: ({ parts }) => pad(dayOfYear(parts), 3),
  L: ({ parts }) => pad(parts.millisecond, 3),
  m: ({ parts }) => pad(parts.month, 2),
  M: ({ parts }) => pad(parts.minute, 2),
  S: ({ parts }) => pad(parts.second, 2),
  u: ({ parts }) => String(isoWeekOf(parts.days).day),
  U: ({ parts }) => pad(weekOfYear(parts), 2),
  V: ({ parts }) => pad(isoWeekOf(parts.days).week, 2),
  w: ({ parts }) => String(dayOfWeek(parts.days)),
  Y: ({ parts }) => pad(parts.year, 4),
  z: ({ offset }) => signed(offset, (size) => pad(Math.floor(size / 60), 2) + pad(size % 60, 2)),
  Z: ({ offset }) => (offset === 0 ? '0' : signed(offset, String)),
};

export class FormatError extends Error {
  readonly reason: 'unknown' | 'unmatched' | 'year';

  constructor(reason: FormatError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Throws `FormatError` for an unknown specifier. */
function checkFormat(format: string): void {
  for (const [, specifier] of format.matchAll(/%([\s\S]?)/g)) {
    step();
    if (specifier === '') throw new FormatError('unmatched', "Unmatched '%' at end of format string");
    if (specifiers[specifier as string] === undefined) {
      throw new FormatError('unknown', `Invalid format character '%${specifier}' in format string`);
    }
  }
}

/**
 * Number of pieces after which they are joined. Joining each piece separately would take another 32 bytes per piece in
 * V8.
 */
const JOINED = 4_096;

/** Throws `FormatError` for an unknown specifier, and for years outside 0 to 9999. */
export function formatDate(ms: bigint, format: string, zone: Zone): string {
  checkFormat(format);
  const parts = partsOf(toLocal(ms, zone));
  if (parts.year < 0 || parts.year > 9999) {
    throw new FormatError('year', `cannot format a date in the year ${parts.year}: not in 0 to 9999`);
  }
  const moment = { parts, offset: Math.trunc(zone.offsetAt(ms) / 60_000) };
  // Replace in a loop, which can be interrupted. `replaceAll` would find all specifiers before it replaces
  // the first one.
  let [made, at] = ['', 0];
  let pieces: string[] = [];
  for (let next = format.indexOf('%'); next !== -1; next = format.indexOf('%', at)) {
    step();
    pieces.push(format.slice(at, next), specifiers[format[next + 1] as string]?.(moment) ?? '');
    at = next + 2;
    if (pieces.length < JOINED) continue;
    made += pieces.join('');
    pieces = [];
  }
  return made + pieces.join('') + format.slice(at);
}

export const isoFormat = '%Y-%m-%dT%H:%M:%S.%LZ';

/**
 * Prints a date as the server does: in UTC with milliseconds. If the year is not in 0 to 9999, prints the
 * milliseconds since 1970.
 */
export function dateText(ms: bigint): string {
  const { year } = partsOf(ms);
  if (year < 0 || year > 9999) return String(ms);
  return formatDate(ms, isoFormat, utc);
}
